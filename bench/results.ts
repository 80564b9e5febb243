import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { toolPath } from '../tests/programs/tool-path.ts'
import type { Workshop } from './bench.ts'
import type { Figure } from './figure.ts'
import { projectFolder } from './project-folder.ts'

/** The machine and the versions on which the figures were measured. */
export const describeRun = ({ browser, runs }: Pick<Workshop, 'browser' | 'runs'>) => ({
  date: new Date().toISOString(),
  runs,
  versions: {
    node: process.versions.node,
    sqlite: process.versions.sqlite,
    postgresql: postgresVersion(),
    chromium: browser.version(),
    react: versionOf('node_modules/react'),
    vite: versionOf('node_modules/vite'),
    hono: versionOf('node_modules/hono'),
    lighthouse: lockedVersion('lighthouse'),
  },
  machine: {
    platform: `${platform()} ${arch()}`,
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    /** The load of the last minute. If it exceeds the number of cores, the timed figures mean little. */
    loadBefore: loadavg()[0],
  },
})

export function writeResults(run: ReturnType<typeof describeRun>, figures: readonly Figure[]) {
  const file = join(projectFolder, 'bench/results.json')
  writeFileSync(file, `${JSON.stringify({ ...run, figures }, null, 2)}\n`)
}

function postgresVersion(): string | undefined {
  const words = execFileSync(join(toolPath('postgres'), 'postgres'), ['--version'], {
    encoding: 'utf8',
  })
  return /[\d.]+/.exec(words)?.[0]
}

const versionOf = (folder: string): string =>
  JSON.parse(readFileSync(join(projectFolder, folder, 'package.json'), 'utf8')).version

/** Versions of packages that only `npm run bench` installs. */
const lockedVersion = (name: string): string =>
  JSON.parse(readFileSync(join(projectFolder, 'bench/package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ].version

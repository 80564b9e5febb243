import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { patience } from '#tests/patience/patience.ts'
import { freePort } from './free-port.ts'

const root = resolve(import.meta.dirname, '../..')

/** Resolves with the port that the process prints. If the process ends before, rejects with its output. */
function ready(child: ChildProcess, ended: Promise<unknown>): Promise<number> {
  let words = ''
  child.stderr?.on('data', (text) => {
    words += text
  })
  return new Promise((onReady, onEnd) => {
    if (child.stdout === null) return onEnd(new Error('no stdout'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"ready"')) onReady(JSON.parse(line).port)
    })
    void ended.then(() => onEnd(new Error(`npm start ended with ${child.exitCode}:\n${words}`)))
  })
}

/**
 * Packages that only checks need. The clone is installed without them, which proves that a start does not need them.
 * They are two fifths of the installed files, and this run's own set-up has installed them with the same command.
 */
const ofChecks: readonly string[] = [
  '@axe-core/playwright',
  '@biomejs/biome',
  '@playwright/test',
  'accessibility-checker-engine',
  'happy-dom',
  'html-validate',
  'oidc-provider',
  'typescript',
  'vitest',
]

/** Removes these packages from the clone's package.json. npm then omits packages that nothing needs. */
async function leaveOutChecks(clone: string): Promise<void> {
  const without = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !ofChecks.includes(name)))
  const edit = async (name: string, project: (content: Content) => Project | undefined) => {
    const file = join(clone, name)
    const content = JSON.parse(await readFile(file, 'utf8'))
    const edited = project(content)
    if (edited) edited.devDependencies = without(edited.devDependencies)
    await writeFile(file, JSON.stringify(content))
  }
  await edit('package.json', (project) => project)
  await edit('package-lock.json', ({ packages }) => packages?.[''])
}

interface Project {
  devDependencies: Record<string, string>
}
interface Content extends Project {
  packages?: Record<string, Project>
}

// Sources from an archive have no history to clone.
test.skipIf(!existsSync(join(root, '.git')))(
  'a fresh clone without packages: npm start serves, exits with 0 after SIGTERM to npm, and a fault in content/ stops pages, not commands',
  { timeout: 10 * patience },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clone-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await promisify(execFile)('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder])
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    await leaveOutChecks(folder)
    const [port, consolePort] = [await freePort(), await freePort()]
    const { HOME = '', PATH = '' } = process.env
    const env = {
      HOME,
      PATH,
      // npm's cache has the packages, because this run was installed from them.
      npm_config_prefer_offline: 'true',
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      SANDBOX_PORT: '0',
    }
    const npm = spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env })
    const ended = once(npm, 'exit')
    onTestFinished(async () => {
      npm.kill('SIGTERM')
      await ended
    })
    expect(await ready(npm, ended)).toBe(port)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('Step 1 of 4')
    npm.kill('SIGTERM')
    expect(await ended).toEqual([0, null])

    const words = join(folder, 'content/site.yaml')
    await writeFile(words, (await readFile(words, 'utf8')).replace(/^ +source: .*\n/m, ''))
    await writeFile(join(folder, 'site-pictures/business.jpg'), 'no picture')
    // After a pull, dist is built from old sources.
    await rm(join(folder, 'dist'), { recursive: true })
    const inClone = (...args: string[]) =>
      promisify(execFile)('npm', args, { cwd: folder, env }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      )
    const list = await inClone('run', 'leads', '--', 'list')
    expect(list, 'a command with a fault in content/').toMatchObject({ code: 0 })
    expect(await inClone('run', 'leads', '--', 'content', 'check')).toMatchObject({ code: 78 })
    for (const command of [['start'], ['run', 'build']]) {
      const refused = await inClone(...command)
      const said = refused.stdout + refused.stderr
      expect(refused, said).toMatchObject({ code: 78 })
      expect(said).toMatch(/\n {2}- content\/site\.yaml, line \d+: source is missing/)
      expect(said).toContain('\n  - site-pictures/business.jpg cannot be read as a picture')
      expect(said).not.toMatch(/^ +at |Error:/m)
    }
  },
)

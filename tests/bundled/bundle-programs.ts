import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { env, pid } from 'node:process'
import { build } from 'vite'
import { serverEntries, unbundledPackages } from '../../scripts/server-entries.ts'
import { compileCache } from './compile-cache.ts'

const { main: _, ...started } = serverEntries
/** The programs that tests start as processes or threads. */
export const bundledSources = {
  ...started,
  'store-process': 'tests/store/store-process.ts',
  'reused-sqlite-thread': 'tests/bundled/reused-sqlite-thread.ts',
} as const

const root = resolve(import.meta.dirname, '../..')

/**
 * Bundles each program from the current sources into one or two files. Loading three hundred source files for the
 * threads of a SQLite store took 400 ms of processor time.
 */
export default async function bundlePrograms(): Promise<() => void> {
  // The folder is as deep in the project as `dist/server`, because programs find the project's folder relative to their
  // own.
  const folder = resolve(root, `.cache/test-programs-${pid}`)
  mkdirSync(folder, { recursive: true })
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: [...unbundledPackages] },
    build: {
      ssr: true,
      outDir: folder,
      sourcemap: true,
      rolldownOptions: {
        input: bundledSources,
        // All files are in one folder, because a program finds its threads' files beside its own.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  env.TEST_PROGRAMS = folder
  // Speeds up the threads of stores that tests open themselves.
  Object.assign(env, compileCache())
  return () => rmSync(folder, { recursive: true, force: true })
}

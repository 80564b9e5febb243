import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { env, pid } from 'node:process'
import { build } from 'vite'
import { serverEntries } from '../../scripts/server-entries.ts'
import { compileCache } from './compile-cache.ts'

const { main: _, ...started } = serverEntries
/** What tests start as processes and threads of their own. */
export const bundledSources = {
  ...started,
  'store-process': 'tests/store/store-process.ts',
} as const

const root = resolve(import.meta.dirname, '../..')

/**
 * Makes a file or two of each program, of the sources as they are now. Read from the sources, three hundred files each
 * time, the threads of one SQLite store cost 400 ms of processor time.
 */
export default async function bundlePrograms(): Promise<() => void> {
  // As deep in the project as `dist/server`: programs find the project's folder from there.
  const folder = resolve(root, `.cache/test-programs-${pid}`)
  mkdirSync(folder, { recursive: true })
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: ['kysely'] },
    build: {
      ssr: true,
      outDir: folder,
      sourcemap: true,
      rolldownOptions: {
        input: bundledSources,
        // All in one folder: whatever starts a thread finds its file beside itself.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  env.TEST_PROGRAMS = folder
  // For the threads of the stores that tests open themselves.
  Object.assign(env, compileCache())
  return () => rmSync(folder, { recursive: true, force: true })
}

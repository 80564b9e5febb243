import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const pooledWorker = JSON.stringify(resolve(import.meta.dirname, 'pooled-worker.ts'))

/** The modules that start a thread or a process of a store, and what they do in tests. */
const starters = [
  {
    starter: /\/database-thread\.ts$/,
    source: "{ Worker } from 'node:worker_threads'",
    replacement: `{ PooledWorker as Worker } from ${pooledWorker}`,
  },
  {
    starter: /\/time-limited-readers\.ts$/,
    source: "'./time-limited-reader-process.ts'",
    // The variable is read at run time, because transformed code is cached for later runs with other folders.
    replacement: "'file://'.concat(process.env.TEST_PROGRAMS, '/time-limited-reader-process.js')",
  },
] as const

/** Makes stores in tests use threads again and start processes from the bundle: see bundle-programs.ts. */
export const bundledSqliteThread = (): Plugin => ({
  name: 'bundled-sqlite-thread',
  enforce: 'pre',
  transform: {
    filter: { id: starters.map(({ starter }) => starter) },
    handler(code, id) {
      const { source, replacement } =
        starters.find(({ starter }) => starter.test(id)) ?? starters[0]
      if (!code.includes(source)) throw new Error(`No ${source} to replace for tests.`)
      return code.replace(source, replacement)
    },
  },
})

import type { Plugin } from 'vite'

/** Which module starts which program of the bundle. */
const startedBy = [
  {
    starter: /\/database-thread\.ts$/,
    program: 'sqlite-thread',
    source: '../../../start/sqlite-thread.ts',
  },
  {
    starter: /\/bounded-readers\.ts$/,
    program: 'bounded-reader-process',
    source: './bounded-reader-process.ts',
  },
] as const

/** Lets a store that a test opens start its threads and processes from their bundle: see bundle-programs.ts. */
export const bundledSqliteThread = (): Plugin => ({
  name: 'bundled-sqlite-thread',
  enforce: 'pre',
  transform: {
    filter: { id: startedBy.map(({ starter }) => starter) },
    handler(code, id) {
      const { program, source } = startedBy.find(({ starter }) => starter.test(id)) ?? startedBy[0]
      const fromSource = `'${source}'`
      if (!code.includes(fromSource)) throw new Error(`No ${fromSource} to put the bundle for.`)
      // Asked for where it runs: what is transformed is kept for later runs, which have a folder of their own.
      return code.replace(fromSource, `\`file://\${process.env.TEST_PROGRAMS}/${program}.js\``)
    },
  },
})

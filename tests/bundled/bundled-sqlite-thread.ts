import type { Plugin } from 'vite'

/** The modules that start a bundled program. */
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

/** Makes stores in tests start their threads and processes from the bundle: see bundle-programs.ts. */
export const bundledSqliteThread = (): Plugin => ({
  name: 'bundled-sqlite-thread',
  enforce: 'pre',
  transform: {
    filter: { id: startedBy.map(({ starter }) => starter) },
    handler(code, id) {
      const { program, source } = startedBy.find(({ starter }) => starter.test(id)) ?? startedBy[0]
      const fromSource = `'${source}'`
      if (!code.includes(fromSource)) throw new Error(`No ${fromSource} to put the bundle for.`)
      // The variable is read at run time, because transformed code is cached for later runs with other folders.
      return code.replace(fromSource, `\`file://\${process.env.TEST_PROGRAMS}/${program}.js\``)
    },
  },
})

import type { Plugin } from 'vite'

const fromSource = "'./sqlite-thread.ts'"
/** Asked for where it runs: what is transformed is kept for later runs, which have a folder of their own. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
const fromBundle = '`file://${process.env.TEST_PROGRAMS}/sqlite-thread.js`'

/** Lets a store that a test opens start its threads from their bundle: see bundle-programs.ts. */
export const bundledSqliteThread = (): Plugin => ({
  name: 'bundled-sqlite-thread',
  enforce: 'pre',
  transform: {
    filter: { id: /\/database-thread\.ts$/ },
    handler(code) {
      if (!code.includes(fromSource)) throw new Error(`No ${fromSource} to put the bundle for.`)
      return code.replace(fromSource, fromBundle)
    },
  },
})

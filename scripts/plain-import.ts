import type { Plugin } from 'vite'

/**
 * Leaves `import()` as the browser has it. Vite wraps each in a helper of 0.7 KB that preloads stylesheets and further
 * chunks; here every style is in the page already and no chunk has a second behind it.
 */
export const plainImport = (): Plugin => ({
  name: 'plain-import',
  enforce: 'pre',
  apply: 'build',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
})

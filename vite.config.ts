import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { displayFont, pictures, plainImport, precompress } from './scripts/build-plugins.ts'
import { readWhenNeeded, serverEntries } from './scripts/server-entries.ts'
import { buildMark } from './scripts/setup/build.mjs'

const clientFolder = 'dist/client'
const consoleFolder = 'dist/console'

/** Scripts with too little to compile for a hint. */
const smallScripts: ReadonlySet<string> = new Set(['measure-visit'])

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    plainImport(),
    precompress('client', clientFolder),
    precompress('console', consoleFolder),
    pictures(clientFolder),
    displayFont(),
  ],
  build: {
    // One stylesheet: the server puts it into each page.
    cssCodeSplit: false,
    target: 'baseline-widely-available',
    modulePreload: false,
  },
  environments: {
    client: {
      build: {
        outDir: clientFolder,
        manifest: true,
        rolldownOptions: {
          // Pictures and the display face take longer than scripts do: no news for those who start the product.
          checks: { pluginTimings: false, bundlerTimings: false },
          // Keeps what page-styles.ts exports, and so its stylesheets.
          preserveEntrySignatures: 'allow-extension',
          input: ['src/site/hydrate.tsx', 'src/site/page-styles.ts'],
          // Chromium then compiles in the background, while the script arrives, what it would compile on the way: the
          // longest task of hydrating took 62 ms instead of 99 (Lighthouse, median of 5). https://v8.dev/blog/explicit-compile-hints
          output: {
            postBanner: ({ name }) =>
              smallScripts.has(name) ? '' : '//# allFunctionsCalledOnLoad',
          },
        },
      },
    },
    // In a folder of its own: what the site serves of its folder is never the console's.
    console: {
      consumer: 'client',
      build: {
        outDir: consoleFolder,
        manifest: true,
        rolldownOptions: {
          checks: { pluginTimings: false, bundlerTimings: false },
          preserveEntrySignatures: 'allow-extension',
          input: [
            'src/console/page-styles.ts',
            'src/console/browser/every-page.ts',
            'src/console/browser/passkey.ts',
          ],
        },
      },
    },
    ssr: {
      // React decides by NODE_ENV which of its builds it is: bundled, an operator cannot start the slow one.
      ...(command === 'build'
        ? {
            define: {
              'process.env.NODE_ENV': '"production"',
              BUILD_IDENTITY: JSON.stringify(buildMark(import.meta.dirname).slice(0, 12)),
            },
            // A start that reads a package's files one by one takes a third longer, a command half as long again.
            resolve: { noExternal: true, external: [...readWhenNeeded] },
          }
        : {}),
      build: {
        outDir: 'dist/server',
        sourcemap: true,
        rolldownOptions: {
          checks: { pluginTimings: false, bundlerTimings: false },
          input: serverEntries,
          // All in one folder: whatever starts a thread finds its file beside itself.
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      // The operator's commands are of the server's part alone: scripts/setup/build.mjs.
      const all = ['client', 'console', 'ssr'] as const
      for (const environment of process.env.BUILD_ONLY === 'ssr' ? (['ssr'] as const) : all) {
        const found = builder.environments[environment]
        if (found) await builder.build(found)
      }
    },
  },
}))

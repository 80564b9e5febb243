import { globSync } from 'node:fs'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import project from './package.json' with { type: 'json' }
import { displayFont, pictures, plainImport, precompress } from './scripts/build-plugins.ts'
import { serverEntries, unbundledPackages } from './scripts/server-entries.ts'
import { buildMark } from './scripts/setup/build.mjs'

const clientFolder = 'dist/client'
const consoleFolder = 'dist/console'

/** Scripts that are too small to gain from a compile hint. */
const smallScripts: ReadonlySet<string> = new Set(['measure-visit'])

const sheets = globSync('src/**/*.module.css', { cwd: import.meta.dirname }).toSorted()

/** Names a class after its CSS module's number, such as `_14heading`. An import as text, `?inline`, has the same names. */
const nameWithSheet = (name: string, file: string): string =>
  `_${sheets.indexOf(relative(import.meta.dirname, file.replace(/\?.*/, '')))}${name}`

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    plainImport(),
    precompress('client', clientFolder),
    precompress('console', consoleFolder),
    pictures(clientFolder),
    displayFont(),
  ],
  // Vite's own names end in a hash and a line number, which cost each landing page 500 bytes.
  css: { modules: command === 'build' ? { generateScopedName: nameWithSheet } : {} },
  build: {
    // The server puts the only stylesheet into each page.
    cssCodeSplit: false,
    // Vite writes `chrome108` and `ios16.2` for `chrome 108` and `ios_saf 16.2`.
    target: project.browserslist.map((browser) =>
      browser.replace(' ', '').replace('ios_saf', 'ios'),
    ),
    modulePreload: false,
  },
  environments: {
    client: {
      build: {
        outDir: clientFolder,
        manifest: true,
        rolldownOptions: {
          // Vite would warn that the plugins for pictures and fonts take longer than the scripts.
          checks: { pluginTimings: false, bundlerTimings: false },
          // Otherwise Vite would drop the exports of page-styles.ts, and with them its stylesheets.
          preserveEntrySignatures: 'allow-extension',
          input: ['src/site/enquiry/hydrate.tsx', 'src/site/page-styles.ts'],
          // With the hint, Chromium compiles all functions in the background while the script arrives. The longest task
          // of hydrating took 62 ms instead of 99 (Lighthouse, median of 5). https://v8.dev/blog/explicit-compile-hints
          output: {
            postBanner: ({ name }) =>
              smallScripts.has(name) ? '' : '//# allFunctionsCalledOnLoad',
          },
        },
      },
    },
    // The console has its own folder, so that the site never serves the console's files.
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
      // React chooses its build by NODE_ENV. With a fixed value, an operator cannot start the slow development build.
      ...(command === 'build'
        ? {
            define: {
              'process.env.NODE_ENV': '"production"',
              BUILD_IDENTITY: JSON.stringify(buildMark(import.meta.dirname).slice(0, 12)),
            },
            // Without bundling, a start takes a third longer and a command half as long again, because Node reads each
            // package's files one by one.
            resolve: { noExternal: true, external: [...unbundledPackages] },
          }
        : {}),
      build: {
        outDir: 'dist/server',
        sourcemap: true,
        rolldownOptions: {
          checks: { pluginTimings: false, bundlerTimings: false },
          input: serverEntries,
          // All files are in one folder, so that a module which starts a thread finds the thread's file beside itself.
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      // The operator's commands need only the server's build: see scripts/setup/build.mjs.
      const all = ['client', 'console', 'ssr'] as const
      for (const environment of process.env.BUILD_ONLY === 'ssr' ? (['ssr'] as const) : all) {
        const found = builder.environments[environment]
        if (found) await builder.build(found)
      }
    },
  },
}))

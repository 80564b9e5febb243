import { defineConfig } from 'vitest/config'
import { bundledSqliteThread } from './tests/bundled/bundled-sqlite-thread.ts'
import { patience } from './tests/patience/patience.ts'
import { LongOnesFirst } from './tests/sequence/long-ones-first.ts'

const integration = '**/*.integration.test.ts'
const bundlePrograms = 'tests/bundled/bundle-programs.ts'
const memoryFolder = 'tests/disk/memory-folder.ts'
/** Tests of what builds, describes and watches the product: half of the unit tests' time. */
const tools = ['scripts/**/*.test.ts', 'tests/{deploy,prometheus,regular-expressions}/**/*.test.ts']
const plugins = [bundledSqliteThread()]

/** Limits only stop what hangs: a slow machine must not fail a test. */
const patient = {
  testTimeout: 3 * patience,
  hookTimeout: 3 * patience,
  teardownTimeout: patience,
  expect: { poll: { timeout: patience, interval: 50 } },
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        plugins,
        test: {
          name: 'unit',
          include: ['{src,tests}/**/*.test.{ts,tsx}'],
          exclude: [integration, ...tools],
          globalSetup: [bundlePrograms],
          // They share no state, so they share their imports: 11 instead of 29 s of processor time.
          isolate: false,
          maxWorkers: 2,
          ...patient,
        },
      },
      {
        plugins,
        test: {
          name: 'tools',
          include: tools,
          exclude: [integration],
          isolate: false,
          maxWorkers: 2,
          ...patient,
          sequence: { groupOrder: 3 },
        },
      },
      {
        plugins,
        // The console's pages are rendered by React's production build, as in the product: 155 instead of 180 s of
        // processor time.
        oxc: { jsx: { development: false } },
        test: {
          name: 'integration',
          env: { NODE_ENV: 'production' },
          // The key of a cached module doesn't tell development's JSX from production's.
          fsModuleCachePath: 'node_modules/.vitest-cache/production',
          include: [`src/${integration}`, `tests/${integration}`],
          exclude: ['tests/journeys/**'],
          globalSetup: [memoryFolder, bundlePrograms, 'tests/postgres/global-setup.ts'],
          setupFiles: ['tests/console/cheap-hashes.ts'],
          ...patient,
          // As above: 34 instead of 56 s of processor time for 16 of its files.
          isolate: false,
          // These tests wait a third of the time, so two workers don't use two cores.
          maxWorkers: 3,
          // Vitest runs projects with different numbers of workers only one after the other.
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.fault.ts'],
          globalSetup: [
            bundlePrograms,
            'tests/postgres/global-setup.ts',
            'tests/faults/figures-of-a-run.ts',
          ],
          // As above: no two of its files share a product, a store or a database.
          isolate: false,
          // Most of it is waiting: for a lease to end, a probe, a process to start.
          maxConcurrency: 12,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          ...patient,
          // At full count a thousand processes are killed one after the other, each after up to 0.8 s.
          testTimeout: process.env.FAULTS === 'full' ? 3_600_000 : 10 * patience,
        },
      },
    ],
  },
})

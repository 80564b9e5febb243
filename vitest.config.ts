import { defineConfig } from 'vitest/config'
import { bundledSqliteThread } from './tests/bundled/bundled-sqlite-thread.ts'
import { LongOnesFirst } from './tests/sequence/long-ones-first.ts'

const integration = '**/*.integration.test.ts'
const bundlePrograms = 'tests/bundled/bundle-programs.ts'
const plugins = [bundledSqliteThread()]

export default defineConfig({
  test: {
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        plugins,
        test: {
          name: 'unit',
          include: ['{src,scripts,tests}/**/*.test.{ts,tsx}'],
          exclude: [integration],
          globalSetup: [bundlePrograms],
          // They share no state, so they share their imports: 11 instead of 29 s of processor time.
          isolate: false,
          maxWorkers: 2,
          // Some start a process of their own, and the machine may have more to do.
          testTimeout: 30_000,
        },
      },
      {
        plugins,
        test: {
          name: 'integration',
          include: [`src/${integration}`, `tests/${integration}`],
          exclude: ['tests/journeys/**'],
          globalSetup: [bundlePrograms, 'tests/postgres/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // As above: 34 instead of 56 s of processor time for 16 of its files.
          isolate: false,
          // Alone, one worker leaves a core idle: the default is a worker less than there are cores.
          maxWorkers: 2,
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
          sequence: { groupOrder: 1 },
          // At full count a thousand processes are killed one after the other, each after up to 0.8 s.
          testTimeout: process.env.FAULTS === 'full' ? 3_600_000 : 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})

import { defineConfig, devices } from '@playwright/test'
import { patience } from './tests/patience/patience.ts'
import { toolPath } from './tests/programs/tool-path.ts'

/** As root in a container Chromium needs no sandbox of its own; the rest keeps it from calling home. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.journey.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  // For machines that do more than this at the time: what is awaited comes in milliseconds on a quiet one.
  timeout: 10 * patience,
  expect: { timeout: patience },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: {
      args,
      executablePath: toolPath('chromium'),
    },
    // A trace films every page: 34 instead of 21 s of processor time for 11 journeys. Who wants one says `--trace on`.
    trace: 'off',
    // Asked for here, one is taken of every test that passes, too: tests/journeys/visit.ts takes them.
    screenshot: 'off',
    // A page that fades into the next one is drawn sixty times, which costs the tests time and shows them nothing.
    contextOptions: { reducedMotion: 'reduce' },
  },
})

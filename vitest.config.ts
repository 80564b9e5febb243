import { defineConfig } from 'vitest/config'

const integration = '**/*.integration.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: [integration],
        },
      },
      {
        test: {
          name: 'integration',
          include: [`src/${integration}`, `tests/${integration}`],
          exclude: ['tests/journeys/**'],
          globalSetup: ['tests/postgres/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})

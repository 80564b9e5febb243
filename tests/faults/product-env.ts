import type { StoreSettings } from '#server/start/open-store.ts'
import type { Distributor } from './distributor.ts'

/** What a process leaves leased when it is killed comes back within seconds, not after a minute. */
export const shortLeases = { DELIVERY_TIMEOUT: '3s', DELIVERY_LEASE: '4s' }

/** The environment of a process on the store that is left alone with it, and soon tries again what failed. */
export function productEnv(
  { dataDir, databaseUrl }: StoreSettings,
  distributor: Pick<Distributor, 'url'>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PORT: '0',
    SANDBOX_PORT: '0',
    CONSOLE_PORT: '0',
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    DISTRIBUTOR_URL: distributor.url,
    // The visitor's address as it is: no call that the test is not about.
    IP_LOOKUP_URL: '',
    DELIVERY_RETRY_SCHEDULE: Array(50).fill('200ms').join(','),
    ...more,
  }
}

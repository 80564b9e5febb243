import type { StoreSettings } from '#server/store/open-store.ts'
import type { Distributor } from './distributor.ts'

/** With these settings, the leases of a killed process end within seconds instead of a minute. */
export const shortLeases = { DELIVERY_TIMEOUT: '3s', DELIVERY_LEASE: '4s' }

/** Variables for a process on the store: it makes no other calls, and soon retries failed deliveries. */
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
    // Without an IP service, the product uses the visitor's address and makes no extra call.
    IP_LOOKUP_URL: '',
    DELIVERY_RETRY_SCHEDULE: Array(50).fill('200ms').join(','),
    ...more,
  }
}

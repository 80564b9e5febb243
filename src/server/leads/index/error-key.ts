import type { Selectable } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

type Attempt = Pick<
  Selectable<StoreTables['attempts']>,
  'outcome' | 'http_status' | 'error_code' | 'reason'
>

/**
 * How an attempt failed, in one word to look for: what the distributor answered with, else the system's code, else our
 * own reason. `rejected`, as that is an answer of its own with HTTP 200.
 */
export function errorKey({ outcome, http_status, error_code, reason }: Attempt): string | null {
  if (outcome === 'delivered') return null
  if (outcome === 'rejected') return reason ?? outcome
  return http_status?.toString() ?? error_code ?? reason ?? outcome
}

import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { AuditLog } from './audit.ts'

export interface OperatorContext {
  readonly db: Kysely<StoreTables>
  readonly audit: AuditLog
  readonly clock: () => number
}

export interface SignInContext extends OperatorContext {
  /** The console's public origin, whose host name passkeys are bound to. */
  readonly origin: () => string
  /** Resolves with a random secret by name. All processes that use the same store share the secret. */
  readonly readSharedSecret: (name: string) => Promise<string>
}

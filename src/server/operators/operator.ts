import type { Kysely } from 'kysely'
import type { Role } from '#domain/operator/role.ts'
import type { Locking } from '#server/platform/database/lead-database.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { AuditLog } from './audit.ts'

/** A person who works on the console. Times are epoch milliseconds. */
export interface Operator {
  readonly id: string
  /** Normalized: see email-address.ts. */
  readonly email: string
  readonly role: Role
  readonly createdAt: number
  /** Null while they may sign in. */
  readonly disabledAt: number | null
}

/** The person who acts, and where from: permissions are checked for them, and the audit log names them. */
export type Actor = ConsoleActor | CommandLineActor

export interface ConsoleActor extends Pick<Operator, 'id' | 'email' | 'role'> {
  readonly kind: 'console'
  /** When they last gave a passkey, a password or a one-time link. */
  readonly lastAuthenticatedAt: number
  /** See networkOf. */
  readonly network: string
}

/** @param lastAuthenticatedAt 0 for an operator who has yet to prove who they are */
export const consoleActor = (
  { id, email, role }: Operator,
  network: string,
  lastAuthenticatedAt = 0,
): ConsoleActor => ({ kind: 'console', id, email, role, lastAuthenticatedAt, network })

/** Anyone who can read the store's files or its password may do what the store can do. */
export interface CommandLineActor {
  readonly kind: 'command line'
  /** The user's name in the operating system. */
  readonly user: string
}

/** Where a browser's request comes from. */
export interface Browser {
  readonly network: string
  /** Its `User-Agent`. */
  readonly browser: string
}

/** The database that operators are stored in. */
export interface OperatorStore {
  readonly db: Kysely<StoreTables>
  readonly locking: Locking
}

/** The context that functions on operators need, in the console and on the command line. */
export interface OperatorContext extends OperatorStore {
  readonly audit: AuditLog
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The same, where people sign in. */
export interface SignInContext extends OperatorContext {
  /** The console's public origin. Passkeys are bound to its host name. */
  readonly origin: () => string
  /** A random secret of that name, the same for every process on the store. */
  readonly sharedSecret: (name: string) => Promise<string>
}

import type { Role } from '#domain/operator/permissions.ts'

/** A member of the company's staff who uses the console. Times are epoch milliseconds. */
export interface Operator {
  readonly id: string
  /** The normalized email address (see email-address.ts). */
  readonly email: string
  readonly role: Role
  readonly createdAt: number
  /** When the operator was disabled; null while they may sign in. */
  readonly disabledAt: number | null
}

/** A person who acts on the console or the command line. The audit log names this person. */
export type Actor = ConsoleActor | CommandLineActor

export interface ConsoleActor extends Pick<Operator, 'id' | 'email' | 'role'> {
  readonly kind: 'console'
  /** When the operator last signed in or confirmed with a passkey, a password or a link. */
  readonly lastAuthenticatedAt: number
  /** The network of the operator's IP address, made by `toNetwork`. */
  readonly network: string
}

/** @param lastAuthenticatedAt 0 for an operator who has not proved their identity yet */
export const toConsoleActor = (
  { id, email, role }: Operator,
  network: string,
  lastAuthenticatedAt = 0,
): ConsoleActor => ({ kind: 'console', id, email, role, lastAuthenticatedAt, network })

/** A user of the command line may do everything, because they can already read the store's files or its password. */
export interface CommandLineActor {
  readonly kind: 'command line'
  readonly user: string
}

export interface RequestSource {
  /** The network of the IP address, made by `toNetwork`. */
  readonly network: string
  /** The browser's `User-Agent` header. */
  readonly browser: string
}

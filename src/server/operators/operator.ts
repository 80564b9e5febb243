import type { Role } from '#domain/operator/role.ts'

/** Who works on the console. Times are epoch milliseconds. */
export interface Operator {
  readonly id: string
  /** As addresses are compared: in lower case. */
  readonly email: string
  readonly role: Role
  readonly createdAt: number
  /** Null where they may sign in. */
  readonly disabledAt: number | null
}

/** Who acts, and from where: whom rights are asked for and what the audit writes down. */
export type Actor = ConsoleActor | CommandLineActor

export interface ConsoleActor extends Pick<Operator, 'id' | 'email' | 'role'> {
  readonly kind: 'console'
  /** When they last gave a passkey, a password or a link for one use. */
  readonly lastAuthenticatedAt: number
  /** As `networkOf` has it. */
  readonly network: string
}

/** Whoever can read the store's files or its password may do what the store can do. */
export interface CommandLineActor {
  readonly kind: 'command line'
  /** The system's name for its user. */
  readonly user: string
}

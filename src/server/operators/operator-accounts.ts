import type { Role } from '#domain/operator/role.ts'
import type { Operator } from './operator.ts'

export interface OperatorAccounts {
  /** False where the email has one already. */
  add(operator: Operator): Promise<boolean>
  find(id: string): Promise<Operator | undefined>
  findByEmail(email: string): Promise<Operator | undefined>
  /** By email. */
  list(): Promise<readonly ListedOperator[]>
  /**
   * A role that may do less signs the operator out everywhere, pauses the jobs that they may not start any more and ends the
   * links that they made for others, where they may make none any more. `at` is epoch milliseconds.
   */
  setRole(id: string, role: Role, at: number): Promise<void>
  /** Who is disabled is signed out everywhere, jobs are paused, and links end: their own, and those that they made for others. */
  disable(id: string, at: number): Promise<void>
  /** The same for an operator whom single sign-on gives no role any more; the account stays enabled. */
  withdrawRole(id: string, at: number): Promise<void>
  enable(id: string): Promise<void>
}

export interface ListedOperator extends Operator {
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasSingleSignOn: boolean
  /** Epoch milliseconds; null where no session is open. */
  readonly seenAt: number | null
}

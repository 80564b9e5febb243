import type { Role } from '#domain/operator/role.ts'
import type { Operator } from './operator.ts'

export interface OperatorAccounts {
  /** False where the email has one already. */
  add(operator: Operator): Promise<boolean>
  find(id: string): Promise<Operator | undefined>
  findByEmail(email: string): Promise<Operator | undefined>
  /** By email. */
  list(): Promise<readonly ListedOperator[]>
  /** Pauses the jobs that they might not start any more; `at` is epoch milliseconds. */
  setRole(id: string, role: Role, at: number): Promise<void>
  /** Who is disabled is signed out everywhere, and links end. */
  disable(id: string, at: number): Promise<void>
  enable(id: string): Promise<void>
}

export interface ListedOperator extends Operator {
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasSingleSignOn: boolean
  /** Epoch milliseconds; null where no session is open. */
  readonly seenAt: number | null
}

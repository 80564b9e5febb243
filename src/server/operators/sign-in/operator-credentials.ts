import type { Operator } from '../operator.ts'

/** Times are epoch milliseconds. */
export interface Passkey {
  /** The authenticator's own, base64url. */
  readonly id: string
  readonly operatorId: string
  /** base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly createdAt: number
  readonly usedAt: number | null
}

/** More than anybody has devices. */
export const mostPasskeys = 20

export interface OperatorCredentials {
  /** Its hash; undefined where there is none. */
  password(operatorId: string): Promise<string | undefined>
  /** The operator with an email address and their password's hash, in one statement whether there is such an operator or not. */
  passwordOf(
    email: string,
  ): Promise<{ readonly operator: Operator; readonly hash: string | undefined } | undefined>
  /**
   * Replaces the password, and ends the operator's links and sessions but the one that is kept.
   * @returns false where nothing was written
   */
  setPassword(
    operatorId: string,
    password: {
      readonly hash: string
      readonly at: number
      readonly keptSessionId: string | undefined
    },
  ): Promise<boolean>
  passkeys(operatorId: string): Promise<readonly Passkey[]>
  findPasskey(id: string): Promise<Passkey | undefined>
  /** `known` where its id is taken, by whomever; `too many` beyond {@link mostPasskeys}. */
  addPasskey(passkey: Omit<Passkey, 'usedAt'>): Promise<'added' | 'known' | 'too many'>
  passkeyUsed(id: string, counter: number, at: number): Promise<void>
  /**
   * Ends the operator's links and sessions, too, but the session that is kept.
   * @returns false where the operator has no such passkey
   */
  removePasskey(id: string, operatorId: string, keptSessionId: string): Promise<boolean>
}

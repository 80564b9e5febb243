import type { Actor } from './operator.ts'

/** An invitation sets a passkey or password; a sign-in link signs in. Each once. */
export type LinkPurpose = 'invitation' | 'sign-in'

export interface OperatorLinks {
  /**
   * Earlier ones of the operator for the same purpose end. Times are epoch milliseconds.
   * @param link `by`: who makes it for somebody else
   * @throws NotAllowedError where `by` may not do so any more, as of the transaction that makes it
   */
  make(link: {
    readonly codeHash: string
    readonly operatorId: string
    readonly purpose: LinkPurpose
    readonly expiresAt: number
    readonly by?: Actor
  }): Promise<void>
  /** The operator whose it is; undefined where it was used, is too old or never was. */
  find(codeHash: string, purpose: LinkPurpose, now: number): Promise<string | undefined>
  /** The same, and it is used: of several at once one alone finds it. */
  use(codeHash: string, purpose: LinkPurpose, now: number): Promise<string | undefined>
  /** Whoever has one of the operator's for that purpose comes too late. */
  withdraw(operatorId: string, purpose: LinkPurpose): Promise<void>
}

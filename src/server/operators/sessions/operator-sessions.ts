import type { Operator } from '../operator.ts'
import type { ProvidersId } from '../single-sign-on/operator-identities.ts'

/** Times are epoch milliseconds. */
export interface Session {
  /** Not the token: it may be shown. */
  readonly id: string
  readonly beganAt: number
  readonly seenAt: number
  /** When a passkey, a password or a link was last given. */
  readonly lastAuthenticatedAt: number
  readonly network: string
  /** What its browser said of itself when it began. */
  readonly browser: string
}

export interface OpenSession extends Session {
  readonly operator: Operator
}

/** Sessions that began and were seen then or later are open. */
export interface SessionAge {
  readonly beganSince: number
  readonly seenSince: number
}

/** What somebody has just signed in by. A link is used up by it. */
export type SignedInBy =
  | { readonly kind: 'password'; readonly hash: string }
  | { readonly kind: 'passkey'; readonly id: string }
  | { readonly kind: 'single sign-on'; readonly identity: ProvidersId }
  | { readonly kind: 'link' }

/** Of one operator: the one longest not seen ends where there are more. */
export const mostSessions = 20

export interface OperatorSessions {
  /**
   * @returns false, and no session is open, where the operator is disabled or what they signed in by was changed or removed
   * meanwhile
   */
  open(tokenHash: string, operatorId: string, session: Session, by: SignedInBy): Promise<boolean>
  /** Undefined, too, where its operator is disabled. */
  find(tokenHash: string, age: SessionAge): Promise<OpenSession | undefined>
  seen(id: string, at: number): Promise<void>
  strong(id: string, at: number): Promise<void>
  /** The latest seen first. */
  list(operatorId: string, age: SessionAge): Promise<readonly Session[]>
  /** False where the operator has no such session. */
  end(id: string, operatorId: string): Promise<boolean>
  /** Ends all sessions but the one that is kept, and every link that nobody has used. Resolves with how many sessions. */
  endWaysIn(operatorId: string, keptId: string | undefined): Promise<number>
  /** Forgets those that are open no more. */
  forgetClosed(age: SessionAge): Promise<void>
}

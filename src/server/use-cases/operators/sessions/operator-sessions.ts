import type { Operator } from '../operator.ts'

/** Times are epoch milliseconds. */
export interface Session {
  /** Not the token: it may be shown. */
  readonly id: string
  readonly beganAt: number
  readonly seenAt: number
  /** When a passkey, a password or a link was last given. */
  readonly strongAt: number
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

export interface OperatorSessions {
  open(tokenHash: string, operatorId: string, session: Session): Promise<void>
  /** Undefined, too, where its operator is disabled. */
  find(tokenHash: string, age: SessionAge): Promise<OpenSession | undefined>
  seen(id: string, at: number): Promise<void>
  strong(id: string, at: number): Promise<void>
  /** The latest seen first. */
  list(operatorId: string, age: SessionAge): Promise<readonly Session[]>
  /** False where the operator has no such session. */
  end(id: string, operatorId: string): Promise<boolean>
  /** All but the one that is kept. */
  endOthers(operatorId: string, keptId: string | undefined): Promise<number>
  /** Forgets those that are open no more. */
  forgetClosed(age: SessionAge): Promise<void>
}

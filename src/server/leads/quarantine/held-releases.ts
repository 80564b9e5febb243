import type { ReleaseOutcome } from '../release-leads.ts'

/** How long a release on the console can be undone, in milliseconds. */
export const undoWindowMs = 30_000

/** A scheduled release: until then the lead is in quarantine and is not sent. */
export interface HeldRelease {
  readonly leadId: string
  /** Epoch milliseconds. */
  readonly dueAt: number
  readonly operatorId: string
  /** The act in the audit that waits for its outcome. */
  readonly auditId: string
}

export type HoldOutcome =
  | { readonly kind: 'held' }
  /** By this press or another one before. */
  | { readonly kind: 'held already' }
  | Exclude<ReleaseOutcome, { readonly kind: 'due' | 'duplicate' }>

export interface HeldReleases {
  hold(held: HeldRelease): Promise<HoldOutcome>
  /** False where it is not held any more. */
  postpone(leadId: string, dueAt: number): Promise<boolean>
  /** With the act's outcome. False where it is not held: it was undone before, or it was released. */
  undo(leadId: string, outcome: string): Promise<boolean>
  /** The first due first, at most `take`. */
  list(take: number): Promise<readonly HeldRelease[]>
  /**
   * Releases those that are due, each once however many processes do so, with the outcome of its act; none of an operator
   * who may not release leads any more.
   * @returns how many
   */
  releaseDue(now: number, inWords: (outcome: ReleaseOutcome) => string): Promise<number>
}

import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { PlainLine } from '#domain/text/plain-line.ts'

/** What one call of the distributor came to. */
export interface SendResult {
  readonly outcome: AttemptOutcome
  /** What the distributor wrote. It may quote the lead: it goes into the store beside it, into no log and no metric. */
  readonly said?: PlainLine | undefined
}

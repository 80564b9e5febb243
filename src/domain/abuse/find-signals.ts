import type { Signal } from './signal.ts'

/** Four steps with thirteen answers: autofill and a practised hand take ten times as long. In milliseconds. */
export const fastestPersonMs = 2000

/** What a form's sender has let be seen. What is absent is not known, and never speaks against anybody. */
export interface AbuseEvidence {
  /** What stands in the field that people do not see. */
  readonly honeypot?: string | undefined
  /** From opening the page until the form was sent, in milliseconds. */
  readonly filledInMs?: number | undefined
  /** `busy`: so many come from it that each is asked for a proof of work. */
  readonly network?: 'quiet' | 'busy and proven' | 'busy' | undefined
  readonly isMailDisposable?: boolean | undefined
}

export function findSignals({
  honeypot,
  filledInMs,
  network,
  isMailDisposable,
}: AbuseEvidence): Signal[] {
  const found: Signal[] = []
  if (honeypot?.trim()) found.push('honeypot-filled')
  // A clock that was set back makes a negative time: it says nothing.
  if (filledInMs !== undefined && filledInMs >= 0 && filledInMs < fastestPersonMs) {
    found.push('too-fast')
  }
  if (network === 'busy') found.push('no-proof')
  if (network === 'busy and proven') found.push('busy-network')
  if (isMailDisposable) found.push('disposable-mail')
  return found
}

import type { LeadCount, LeadPlace } from './find-leads.ts'

/** What became of the wish to let a lead out of quarantine. */
export type ReleaseOutcome =
  /** Its delivery is due now. */
  | { readonly kind: 'due' }
  /** Its person has asked for the same program by another enquiry, which counts (reading 18). */
  | { readonly kind: 'duplicate'; readonly of: string }
  | { readonly kind: 'not quarantined' }
  /** There is nothing left to send. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'unknown' }

/** For the audit. */
export const releaseInAudit = ({ kind }: ReleaseOutcome): string =>
  kind === 'due' || kind === 'duplicate' ? kind : `not done: ${kind}`

export interface LeadQuarantine {
  /** @param now epoch milliseconds */
  release(leadId: string, now: number): Promise<ReleaseOutcome>
  /** The ids of those that wait, the oldest first, at most `take`. */
  waiting(take: number): Promise<readonly string[]>
  /** The oldest of those that nobody has decided about, after that place; undefined where there is none. */
  next(after: LeadPlace | undefined): Promise<LeadPlace | undefined>
  /** How many of them there are, as far as one counts them. */
  count(after: LeadPlace | undefined): Promise<LeadCount>
}

/** One transaction each: an enquiry that comes meanwhile waits for one of them at most. */
const pageSize = 500

export interface ReleasedLeads {
  readonly due: number
  readonly duplicates: number
}

/** Releases every lead in quarantine, the oldest first, so that of a person's several the first counts. */
export async function releaseAll(
  quarantine: Pick<LeadQuarantine, 'release' | 'waiting'>,
  clock: () => number,
  onProgress: (done: number) => void = () => undefined,
): Promise<ReleasedLeads> {
  const count = { due: 0, duplicates: 0 }
  for (;;) {
    const ids = await quarantine.waiting(pageSize)
    for (const id of ids) {
      const { kind } = await quarantine.release(id, clock())
      if (kind === 'due') count.due++
      if (kind === 'duplicate') count.duplicates++
      onProgress(count.due + count.duplicates)
    }
    if (ids.length < pageSize) return count
  }
}

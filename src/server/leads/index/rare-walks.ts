import { sql } from 'kysely'
import { type AttemptsBand, attemptsBands } from '#domain/lead/attempts-band.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import type { Condition, Walk } from './walk.ts'

/**
 * Parts whose most frequent value has no index, as it is found at once without: the others' are partial ones (migration
 * 0016), which both databases take only for the very words that they were made with.
 */
export function rareWalks({ verified, attempts }: LeadFilter): readonly Walk[] {
  const isUnverified = verified.length === 1 && verified[0] === false
  const bands = attempts.includes('1') ? [] : attempts
  return [
    {
      part: 'verified',
      sources: isUnverified ? [{ at: 'lead_index', where: sql`lead_index.verified = 0` }] : [],
    },
    { part: 'attempts', sources: bands.map((band) => ({ at: 'lead_index', where: isIn(band) })) },
  ]
}

const isIn = (band: AttemptsBand): Condition => sql`lead_index.attempts <> 1 and
  (case when lead_index.attempts = 0 then 0 when lead_index.attempts < 5 then 2
    when lead_index.attempts < 20 then 5 else 20 end) = ${sql.lit(attemptsBands[band].from)}`

/** The same, asked of a lead of another walk. */
export function rareConditions(
  { verified, attempts }: LeadFilter,
  walked: Walk,
): readonly Condition[] {
  const bands = attempts.map((band) => {
    const { from, to } = attemptsBands[band]
    return sql`lead_index.attempts between ${from} and ${to}`
  })
  const kinds = [...new Set(verified)].map((is) => sql`${is ? 1 : 0}`)
  return [
    ...(kinds.length > 0 && walked.part !== 'verified'
      ? [sql`lead_index.verified in (${sql.join(kinds)})`]
      : []),
    ...(bands.length > 0 && walked.part !== 'attempts'
      ? [sql`(${sql.join(bands, sql` or `)})`]
      : []),
  ]
}

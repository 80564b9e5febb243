import type { FieldDefinition, KnownOrigins } from '#console/leads/read-filter.ts'
import { explainInvalidState, keepText, parseState } from '#domain/lead/lead-filter.ts'
import { maskCampaign } from '#domain/lead/mask-lead.ts'
import { type FunnelFilter, isLeadDimension } from '#domain/measuring/funnel.ts'
import type { RejectionReasons } from '#server/measuring/rejection-reasons.ts'

/** The parsers of the parameters that filter by what only leads have, for `parsePageFilter`. */
export const leadDimensionParsers = {
  medium: { parse: keepText },
  content: { parse: keepText },
  state: { parse: parseState, explain: explainInvalidState },
  reason: { parse: keepText },
}

type LeadDimensionTexts = Readonly<Record<keyof typeof leadDimensionParsers, string>>

/** Whether a value contains what only somebody who may search for people may look for. */
export const hasMaskedCampaign = ({ medium, content }: LeadDimensionTexts): boolean =>
  [medium, content].some((text) => maskCampaign(text) !== text)

/** Picks the conditions on what only leads have. */
export const pickLeadFilter = (values: FunnelFilter): FunnelFilter =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isLeadDimension(name)))

export type Reasons = ReturnType<RejectionReasons>

export const makeLeadDimensionFields = (
  known: KnownOrigins,
  { names }: Reasons,
): Readonly<Record<keyof typeof leadDimensionParsers, FieldDefinition>> => ({
  reason: { label: 'Rejected because', suggestions: names },
  state: { label: 'State', example: 'FL', suggestions: known.state },
  medium: { label: 'Medium', suggestions: known.medium },
  content: { label: 'Content', suggestions: known.content },
})

/** The most error groups that `/leads` can select at once. */
const maxGroups = 20

/**
 * Makes the conditions of `/leads` for leads with a state and a reason.
 * @returns undefined if `/leads` cannot list the leads, because it lacks the filter or the reason has no words
 */
export function makeLeadConditions(
  { medium, content, state, reason }: LeadDimensionTexts,
  reasons: Reasons,
): readonly (readonly [name: string, value: string])[] | undefined {
  if (medium !== '' || content !== '') return undefined
  const byState = state === '' ? [] : [['state', state] as const]
  if (reason === '') return byState
  const groups = reasons.findGroups(reason)
  if (groups === undefined || groups.length === 0 || groups.length > maxGroups) return undefined
  return [...byState, ['rejected', 'any'], ...groups.map((id) => ['error', id] as const)]
}

/** What a row of leads is called whose value is unknown. */
export const unknownLeadLabels = {
  medium: 'no medium',
  content: 'no content',
  state: 'unknown',
  reason: 'not rejected',
} as const

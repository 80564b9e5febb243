import { type KnownOrigins, makeFieldDefinitions } from '#console/leads/read-filter.ts'
import { explainInvalidState, keepText, parseState } from '#domain/lead/lead-filter.ts'
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

/** Picks the conditions on what only leads have. */
export const pickLeadFilter = (values: FunnelFilter): FunnelFilter =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isLeadDimension(name)))

export type Reasons = ReturnType<RejectionReasons>

export function makeLeadDimensionFields(known: KnownOrigins, { names }: Reasons) {
  const { state, medium, content } = makeFieldDefinitions([], known)
  return { reason: { label: 'Rejected because', suggestions: names }, state, medium, content }
}

/** The most error groups that `/leads` can select at once. */
const maxGroups = 20

/**
 * Makes the conditions of `/leads` for leads with a medium, a content, a state and a reason.
 * @returns undefined if `/leads` cannot list the leads, because the reason has no words
 */
export function makeLeadConditions(
  { reason, ...texts }: LeadDimensionTexts,
  reasons: Reasons,
): readonly (readonly [name: string, value: string])[] | undefined {
  const conditions = (['medium', 'content', 'state'] as const)
    .map((name) => [name, texts[name]] as const)
    .filter(([, text]) => text !== '')
  if (reason === '') return conditions
  const groups = reasons.findGroups(reason)
  if (groups === undefined || groups.length === 0 || groups.length > maxGroups) return undefined
  return [...conditions, ['rejected', 'any'], ...groups.map((id) => ['error', id] as const)]
}

/** What a row of leads is called whose value is unknown. */
export const unknownLeadLabels = {
  medium: 'no medium',
  content: 'no content',
  state: 'unknown',
  reason: 'not rejected',
} as const

import { explainInvalidState, keepText, parseState } from '#domain/lead/lead-filter.ts'
import { type FunnelFilter, isLeadDimension } from '#domain/measuring/funnel.ts'
import { originNames } from '#server/leads/lead-origins.ts'
import { maxGroups, type RejectionReasons } from '#server/measuring/rejection-reasons.ts'

/** The parsers of the parameters that filter by what only leads have, for `parsePageFilter`. */
export const leadDimensionParsers = {
  medium: { parse: keepText },
  content: { parse: keepText },
  state: { parse: parseState, explain: explainInvalidState },
  reason: { parse: keepText },
}

/** Picks the conditions on what only leads have. */
export const pickLeadFilter = (values: FunnelFilter): FunnelFilter =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isLeadDimension(name)))

export type Reasons = ReturnType<RejectionReasons>

export const makeReasonField = ({ names }: Reasons) => ({
  label: 'Rejected because',
  suggestions: names,
})

/** The parameters that mean the same on `/leads`. */
const leadTexts = ['area', 'program', 'state', ...originNames] as const

/**
 * Makes the conditions of `/leads` for the leads that a page counts.
 * @returns undefined if `/leads` cannot list the leads, because the reason has no words
 */
export function makeLeadConditions(
  {
    reason,
    ...texts
  }: Readonly<Partial<Record<(typeof leadTexts)[number], string>>> & {
    readonly reason: string
  },
  reasons: Reasons,
): readonly (readonly [name: string, value: string])[] | undefined {
  const conditions = leadTexts
    .map((name) => [name, texts[name] ?? ''] as const)
    .filter(([, text]) => text !== '')
  if (reason === '') return conditions
  const groups = reasons.findGroups(reason)
  if (groups === undefined || groups.length === 0 || groups.length > maxGroups) return undefined
  return [...conditions, ['rejected', 'any'], ...groups.map((id) => ['error', id] as const)]
}

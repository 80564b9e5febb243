import { sql } from 'kysely'
import { isErrorGroup } from '#domain/delivery/error-group.ts'
import type { LeadFilter } from '#domain/lead/lead-filter.ts'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type {
  IndexedStatus,
  LeadIndexTables,
} from '#server/platform/database/tables/lead-index-tables.ts'
import { isInDoubt } from '../store/is-in-doubt.ts'
import { referenceIn, signalKey } from './lead-keys.ts'
import { rareConditions, rareWalks } from './rare-walks.ts'
import type { Condition, Source, Walk } from './walk.ts'

/**
 * By what the leads of each part of a filter are found: a part that is asked for nowhere would mean every lead. Each `column`
 * of `lead_index` has an index to be walked by; the rarer stand before the more frequent ones.
 */
const foundBy = {
  restored: 'delivery',
  signal: 'key',
  verified: 'partial index',
  attempts: 'partial index',
  error: 'column',
  affiliate: 'column',
  program: 'column',
  state: 'column',
  status: 'column',
  area: 'column',
  since: 'time',
  until: 'time',
} as const satisfies Readonly<
  Record<keyof LeadFilter, 'delivery' | 'key' | 'partial index' | 'column' | 'time'>
>

type Part = keyof typeof foundBy

type WalkedColumn = {
  [Name in Part]: (typeof foundBy)[Name] extends 'column' ? Name : never
}[Part]

export const walkedColumns = (Object.keys(foundBy) as Part[]).filter(
  (part): part is WalkedColumn => foundBy[part] === 'column',
)

/** All ways to go through the leads that a filter means; one at least. */
export function walksOf(filter: LeadFilter, keys: readonly string[] | undefined): readonly Walk[] {
  const byKey = (key: string): Source => {
    const reference = referenceIn(key)
    return reference === undefined
      ? { at: 'lead_keys', where: sql`lead_keys.key = ${key}` }
      : { at: 'lead_index', where: sql`lead_index.lead_id = ${reference}` }
  }
  const walks: readonly Walk[] = [
    { part: 'keys', sources: (keys ?? []).map(byKey) },
    {
      part: 'restored',
      sources: filter.restored.map((): Source => ({ at: 'in_doubt', where: sql`1 = 1` })),
    },
    { part: 'signal', sources: filter.signal.map(signalKey).map(byKey) },
    ...rareWalks(filter),
    ...walkedColumns.map((part) => ({
      part,
      sources: valuesOf(filter, part).map(
        (value): Source => ({
          at: 'lead_index',
          where: sql`${columnOf(part, value)} = ${value}`,
        }),
      ),
    })),
  ]
  const asked = walks.filter(({ sources }) => sources.length > 0)
  return asked.length > 0
    ? asked
    : [{ part: 'all', sources: [{ at: 'lead_index', where: sql`1 = 1` }] }]
}

/** What is asked of each lead of a walk: the parts of the filter that the walk has not answered. */
export function conditionsOf(
  filter: LeadFilter,
  keys: readonly string[] | undefined,
  { walked, now }: { readonly walked: Walk; readonly now: number },
): readonly Condition[] {
  const conditions: Condition[] = []
  for (const part of walkedColumns) {
    const values = valuesOf(filter, part)
    if (values.length === 0 || part === walked.part) continue
    const each = values.map((value) => sql`${columnOf(part, value)} = ${value}`)
    conditions.push(sql`(${sql.join(each, sql` or `)})`)
  }
  if (filter.signal.length > 0 && walked.part !== 'signal') {
    conditions.push(hasKey(filter.signal.map(signalKey)))
  }
  if (keys !== undefined && walked.part !== 'keys') conditions.push(hasKey(keys))
  if (filter.restored.length > 0 && walked.part !== 'restored') {
    conditions.push(sql`exists (
      select 1 from deliveries where deliveries.lead_id = lead_index.lead_id and ${isInDoubt})`)
  }
  conditions.push(...rareConditions(filter, walked))
  const leased = isLeasedAsAsked(filter.status, now)
  return leased === undefined ? conditions : [...conditions, leased]
}

/** A group of errors is a filter on the error: leads of one group have one error. */
const columnOf = (
  part: WalkedColumn & keyof LeadIndexTables['lead_index'],
  value: string | number,
) => sql.ref(`lead_index.${part === 'error' && isErrorGroup(String(value)) ? 'error_group' : part}`)

function valuesOf(filter: LeadFilter, part: WalkedColumn) {
  return part === 'status' ? [...new Set(filter.status.map(indexed))] : filter[part]
}

const indexed = (status: LeadStatus): IndexedStatus =>
  status === 'pending' || status === 'leased' ? 'owed' : status

const hasKey = (keys: readonly string[]): Condition => sql`exists (
  select 1 from lead_keys where lead_keys.key in (${sql.join(keys)})
  and lead_keys.received_at = lead_index.received_at and lead_keys.lead_id = lead_index.lead_id)`

/** Time alone tells a lease that holds from one that has ended: the delivery itself is asked. */
function isLeasedAsAsked(statuses: readonly LeadStatus[], now: number): Condition | undefined {
  const [isPending, isLeased] = [statuses.includes('pending'), statuses.includes('leased')]
  if (isPending === isLeased) return undefined
  const leased = sql`exists (
    select 1 from deliveries where deliveries.lead_id = lead_index.lead_id
    and deliveries.settled_as is null and deliveries.leased_until > ${now})`
  return sql`(lead_index.status <> 'owed' or ${isLeased ? leased : sql`not ${leased}`})`
}

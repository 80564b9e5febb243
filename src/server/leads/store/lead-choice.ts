import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { LeadStatus } from '#domain/lead/lead-status.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import type { LeadChoice } from '../read-leads.ts'
import { isInDoubt } from './is-in-doubt.ts'
import { hasStatus } from './lead-status.ts'

type LeadsAndDeliveries = ExpressionBuilder<StoreTables, 'leads' | 'deliveries'>

/** The place of a lead in the order: {@link orderOf}. */
export interface LeadPlace {
  readonly receivedAt: number
  readonly id: string
}

const ofLeadsAlone: readonly LeadStatus[] = ['duplicate', 'quarantined', 'erased']

/**
 * Time and id to go by, where `leads` is joined with `deliveries`. The two pairs say the same, as a delivery is created
 * when its lead is received; each has the index of its case.
 */
export const orderOf = (status: LeadStatus | undefined) =>
  status === undefined || ofLeadsAlone.includes(status)
    ? (['leads.received_at', 'leads.id'] as const)
    : (['deliveries.created_at', 'deliveries.lead_id'] as const)

export function isChosen(
  eb: LeadsAndDeliveries,
  {
    status,
    area,
    ids,
    isRestored,
    isUnreadable,
    since,
    until,
    now,
  }: LeadChoice & { readonly now: number },
): Expression<SqlBool> {
  const [time] = orderOf(status)
  return eb.and([
    ...(status === undefined ? [] : [hasStatus(eb, status, now)]),
    ...(isRestored ? [isInDoubt] : []),
    ...(isUnreadable
      ? [
          eb('deliveries.settled_because', '=', 'unreadable'),
          eb('deliveries.lead_erased_at', 'is', null),
        ]
      : []),
    ...(ids === undefined ? [] : [eb('leads.id', 'in', ids)]),
    ...(area === undefined ? [] : [eb('leads.area', '=', area)]),
    ...(since === undefined ? [] : [eb(time, '>=', since)]),
    ...(until === undefined ? [] : [eb(time, '<', until)]),
  ])
}

/** Continues by key, as an offset would read a million rows to show the last page. Without a place: all. */
export function liesBeyond(
  eb: LeadsAndDeliveries,
  place: LeadPlace | undefined,
  { status, towards }: { status: LeadStatus | undefined; towards: 'older' | 'newer' },
): Expression<SqlBool> {
  if (place === undefined) return eb.and([])
  const [time, id] = orderOf(status)
  return eb(
    eb.refTuple(time, id),
    towards === 'older' ? '<' : '>',
    eb.tuple(place.receivedAt, place.id),
  )
}

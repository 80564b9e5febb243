import type { Kysely } from 'kysely'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { formatCsvLine } from '#server/platform/export-formats.ts'
import { catchUnreadable, parsePayload } from './lead-payload.ts'

const day = 24 * 60 * 60 * 1000

/** Google Ads accepts a click for 90 days. */
const reportedFor = 90 * day

/** A lead may have been received so long before its acceptance. */
const longestDelivery = 30 * day

const pageSize = 500

/** The columns of Google Ads' file of click conversions (https://support.google.com/google-ads/answer/7014069). */
const header = [
  'Google Click ID',
  'Conversion Name',
  'Conversion Time',
  'Conversion Value',
  'Conversion Currency',
]

/**
 * Yields a CSV file with the leads of the last 90 days that the distributor accepted, did not return, and that came
 * from a click on a Google ad. The value is empty: Google Ads then uses the value of the conversion action.
 * @param now epoch milliseconds
 */
export async function* readConversions(
  db: Kysely<StoreTables>,
  now: number,
): AsyncGenerator<string> {
  yield formatCsvLine(header)
  let after = { created_at: now - reportedFor - longestDelivery, id: '' }
  for (;;) {
    const rows = await findAccepted(db, now - reportedFor, after)
    const lines = rows.flatMap(({ payload, settled_at }) => {
      const clickId = findClickId(payload)
      return clickId === undefined ? [] : formatCsvLine(toCells(clickId, settled_at ?? 0))
    })
    if (lines.length > 0) yield lines.join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = last
  }
}

const toCells = (clickId: string, at: number): readonly string[] => [
  clickId,
  'Accepted lead',
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}+0000`,
  '',
  'USD',
]

const findClickId = (payload: string): string | undefined =>
  catchUnreadable(
    () => {
      const { attribution } = parsePayload(payload)
      return attribution?.last.gclid ?? attribution?.first.gclid
    },
    () => undefined,
  )

const findAccepted = (
  db: Kysely<StoreTables>,
  since: number,
  after: { readonly created_at: number; readonly id: string },
) =>
  db
    .selectFrom('deliveries')
    .innerJoin('leads', 'leads.id', 'deliveries.lead_id')
    .innerJoin('lead_index', 'lead_index.lead_id', 'deliveries.lead_id')
    .select(['leads.id', 'leads.payload', 'deliveries.created_at', 'deliveries.settled_at'])
    .where('deliveries.settled_as', '=', 'delivered')
    .where('deliveries.settled_at', '>=', since)
    .where('leads.erased_at', 'is', null)
    .where('lead_index.returned_at', 'is', null)
    .where('leads.payload', 'like', '%"gclid"%')
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('deliveries.created_at', 'deliveries.lead_id'),
        '>',
        tuple(after.created_at, after.id),
      ),
    )
    .orderBy('deliveries.created_at')
    .orderBy('deliveries.lead_id')
    .limit(pageSize)
    .execute()

import type { Kysely } from 'kysely'
import { day } from '#domain/durations.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { exportPages, formatCsvLine } from '#server/platform/export-formats.ts'
import { readPayload } from './lead-payload.ts'

/** Google Ads accepts a conversion up to 90 days after its click. */
const reportedMs = 90 * day

/** The longest time that is expected between receiving a lead and its acceptance. */
const maxDeliveryMs = 30 * day

/** The columns of Google Ads' file of click conversions (https://support.google.com/google-ads/answer/7014069). */
const header = formatCsvLine([
  'Google Click ID',
  'Conversion Name',
  'Conversion Time',
  'Conversion Value',
  'Conversion Currency',
])

/**
 * Yields a CSV file with the leads of the last 90 days that came from a click on a Google ad, and that the distributor
 * accepted and has not returned. The conversion value is empty, so Google Ads uses the value of the conversion action.
 * @param now epoch milliseconds
 */
export const readConversions = (db: Kysely<StoreTables>, now: number): AsyncGenerator<string> =>
  exportPages({ header, line: formatConversion }, (after, take) =>
    findAccepted(db, now - reportedMs, after, take),
  )

type ConversionRow = Awaited<ReturnType<typeof findAccepted>>[number]

function formatConversion({ payload, settled_at }: ConversionRow): string {
  const attribution = readPayload(payload).answers?.attribution
  const clickId = attribution?.last.gclid ?? attribution?.first.gclid
  if (clickId === undefined) return ''
  const at = new Date(settled_at ?? 0).toISOString().slice(0, 19).replace('T', ' ')
  return formatCsvLine([clickId, 'Accepted lead', `${at}+0000`, '', 'USD'])
}

const findAccepted = (
  db: Kysely<StoreTables>,
  since: number,
  after = { created_at: since - maxDeliveryMs, id: '' },
  take: number,
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
    .limit(take)
    .execute()

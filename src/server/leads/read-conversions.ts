import type { Kysely } from 'kysely'
import { day } from '#domain/durations.ts'
import { formatAmount } from '#domain/text/formats.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { exportPages, formatCsvLine } from '#server/platform/export-formats.ts'
import { readPayload } from './lead-payload.ts'

/** Google Ads accepts a conversion up to 90 days after its click. */
const reportedMs = 90 * day

/** Google Ads adjusts a conversion up to 54 days after it happened (its error `CONVERSION_EXPIRED`). */
const adjustedMs = 54 * day

/** The longest time that is expected between receiving a lead and its acceptance. */
const maxDeliveryMs = 30 * day

/** The name of the conversion action in Google Ads, which both files use. */
const conversionName = 'Accepted lead'

/** The columns of Google Ads' file of click conversions (https://support.google.com/google-ads/answer/7014069). */
const conversionsHeader = formatCsvLine([
  'Google Click ID',
  'Conversion Name',
  'Conversion Time',
  'Conversion Value',
  'Conversion Currency',
  'Order ID',
])

/** The columns of Google Ads' file of adjustments (https://support.google.com/google-ads/answer/7686280). */
const adjustmentsHeader = formatCsvLine([
  'Order ID',
  'Conversion Name',
  'Adjustment Time',
  'Adjustment Type',
  'Adjusted Value',
  'Adjusted Value Currency',
])

/**
 * Yields a CSV file with the leads of the last 90 days that came from a click on a Google ad, and that the distributor
 * accepted and has not returned. The value is the lead's revenue. Without a value, Google Ads uses the value of the
 * conversion action. The order id is the lead's reference, which leads of release 0.3.0 and earlier ones don't own.
 * @param now epoch milliseconds
 */
export const readConversions = (db: Kysely<StoreTables>, now: number): AsyncGenerator<string> =>
  exportPages({ header: conversionsHeader, line: formatConversion }, (after, take) =>
    findAccepted(db, now - reportedMs, after, take),
  )

/**
 * Yields a CSV file that retracts the conversions of returned leads. Google Ads finds a conversion by its order id, so
 * the file leaves out leads whose conversion had none.
 * @param now epoch milliseconds
 */
export const readConversionAdjustments = (
  db: Kysely<StoreTables>,
  now: number,
): AsyncGenerator<string> =>
  exportPages({ header: adjustmentsHeader, line: formatAdjustment }, (after, take) =>
    findReturned(db, now - adjustedMs, after, take),
  )

type ConversionRow = Awaited<ReturnType<typeof findAccepted>>[number]

function formatConversion(row: ConversionRow): string {
  const clickId = findGoogleClickId(row)
  if (clickId === undefined) return ''
  const { revenue_cents, settled_at, reference } = row
  const at = formatTime(settled_at ?? 0)
  return formatCsvLine([clickId, conversionName, at, formatAmount(revenue_cents), 'USD', reference])
}

function formatAdjustment(row: Awaited<ReturnType<typeof findReturned>>[number]): string {
  if (findGoogleClickId(row) === undefined) return ''
  // A file's word is `RETRACT`; Google's API calls it `RETRACTION`. A retraction has no value.
  return formatCsvLine([row.reference, conversionName, formatTime(row.at), 'RETRACT', '', ''])
}

function findGoogleClickId({ payload }: Pick<ConversionRow, 'payload'>): string | undefined {
  const attribution = readPayload(payload).answers?.attribution
  return attribution?.last.gclid ?? attribution?.first.gclid
}

/** In UTC, as in `2026-03-01 12:00:00+0000`. */
const formatTime = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}+0000`

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
    .leftJoin('lead_ledger', (join) =>
      join
        .onRef('lead_ledger.lead_id', '=', 'deliveries.lead_id')
        .on('lead_ledger.kind', '=', 'accepted'),
    )
    .select(['leads.id', 'leads.payload', 'deliveries.created_at', 'deliveries.settled_at'])
    .select(['leads.reference', 'lead_ledger.revenue_cents'])
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

/** Finds the leads that the distributor accepted since a time and returned later, in order of their returns. */
const findReturned = (
  db: Kysely<StoreTables>,
  since: number,
  after = { at: since, id: '' },
  take: number,
) =>
  db
    .selectFrom('lead_ledger as returned')
    .innerJoin('lead_ledger as accepted', (join) =>
      join.onRef('accepted.lead_id', '=', 'returned.lead_id').on('accepted.kind', '=', 'accepted'),
    )
    .innerJoin('leads', 'leads.id', 'returned.lead_id')
    .select(['leads.id', 'leads.payload', 'leads.reference', 'returned.at'])
    .where('returned.kind', '=', 'returned')
    .where('accepted.at', '>=', since)
    .where('leads.reference', 'is not', null)
    .where('leads.erased_at', 'is', null)
    .where('leads.payload', 'like', '%"gclid"%')
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('returned.at', 'returned.lead_id'), '>', tuple(after.at, after.id)),
    )
    .orderBy('returned.at')
    .orderBy('returned.lead_id')
    .limit(take)
    .execute()

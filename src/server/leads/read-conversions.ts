import type { Kysely } from 'kysely'
import { day } from '#domain/durations.ts'
import { formatAmount } from '#domain/text/formats.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { type ExportCell, exportPages, formatCsvLine } from '#server/platform/export-formats.ts'
import { readPayload } from './lead-payload.ts'

/** Google Ads accepts a conversion up to 90 days after its click. */
const reportedMs = 90 * day

/** Google Ads adjusts a conversion up to 54 days after it happened (its error `CONVERSION_EXPIRED`). */
const adjustedMs = 54 * day

const conversionName = 'Accepted lead'

/** The columns of Google Ads' file of click conversions (https://support.google.com/google-ads/answer/7014069). */
const conversionsHeader =
  'Google Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Order ID\r\n'

/** The columns of Google Ads' file of adjustments (https://support.google.com/google-ads/answer/7686280). */
const adjustmentsHeader =
  'Order ID,Conversion Name,Adjustment Time,Adjustment Type,Adjusted Value,Adjusted Value Currency\r\n'

/**
 * Yields a CSV file with the leads of the last 90 days that came from a click on a Google ad, and that the distributor
 * accepted and has not returned. The value is the lead's revenue. Without a value, Google Ads uses the value of the
 * conversion action. The order id is the lead's reference, which leads of release 0.3.0 and earlier ones don't own.
 */
export const readConversions = (db: Kysely<StoreTables>, now: number): AsyncGenerator<string> =>
  exportPages(
    {
      header: conversionsHeader,
      line: makeLine(({ clickId, at, revenue_cents, reference }) => [
        ...[clickId, conversionName, at, formatAmount(revenue_cents), 'USD', reference],
      ]),
    },
    (after, take) => findEntries(db, { kind: 'accepted', since: now - reportedMs, after, take }),
  )

/**
 * Yields a CSV file that retracts the conversions of returned leads. Google Ads finds a conversion by its order id, so
 * the file leaves out leads whose conversion had none. A file's word is `RETRACT`; Google's API calls it `RETRACTION`.
 */
export const readConversionAdjustments = (
  db: Kysely<StoreTables>,
  now: number,
): AsyncGenerator<string> =>
  exportPages(
    {
      header: adjustmentsHeader,
      line: makeLine(
        ({ at, reference }) => reference && [reference, conversionName, at, 'RETRACT', '', ''],
      ),
    },
    (after, take) => findEntries(db, { kind: 'returned', since: now - adjustedMs, after, take }),
  )

type Entry = Awaited<ReturnType<typeof findEntries>>[number]
type Conversion = Omit<Entry, 'at'> & Readonly<Record<'clickId' | 'at', string>>

/** Formats the line of a lead that came from a Google ad. Times are in UTC, as in `2026-03-01 12:00:00+0000`. */
const makeLine =
  (toCells: (conversion: Conversion) => readonly ExportCell[] | null | '') =>
  (entry: Entry): string => {
    const attribution = readPayload(entry.payload).answers?.attribution
    const clickId = attribution?.last.gclid ?? attribution?.first.gclid
    if (clickId === undefined) return ''
    const at = `${new Date(entry.at).toISOString().slice(0, 19).replace('T', ' ')}+0000`
    const cells = toCells({ ...entry, clickId, at })
    return cells ? formatCsvLine(cells) : ''
  }

interface EntryQuery {
  readonly kind: 'accepted' | 'returned'
  readonly since: number
  readonly after: { readonly at: number; readonly id: string } | undefined
  readonly take: number
}

/** Finds the leads that the distributor accepted since a time, and has returned or not, in order of the entries. */
const findEntries = (
  db: Kysely<StoreTables>,
  { kind, since, after = { at: since, id: '' }, take }: EntryQuery,
) =>
  db
    .selectFrom('lead_ledger as entry')
    .innerJoin('lead_ledger as accepted', (join) =>
      join.onRef('accepted.lead_id', '=', 'entry.lead_id').on('accepted.kind', '=', 'accepted'),
    )
    .innerJoin('leads', 'leads.id', 'entry.lead_id')
    .innerJoin('lead_index', 'lead_index.lead_id', 'entry.lead_id')
    .select(['leads.id', 'leads.payload', 'leads.reference', 'entry.at', 'entry.revenue_cents'])
    .where('entry.kind', '=', kind)
    .where('accepted.at', '>=', since)
    .where('lead_index.returned_at', kind === 'accepted' ? 'is' : 'is not', null)
    .where('leads.erased_at', 'is', null)
    .where('leads.payload', 'like', '%"gclid"%')
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('entry.at', 'entry.lead_id'), '>', tuple(after.at, after.id)),
    )
    .orderBy('entry.at')
    .orderBy('entry.lead_id')
    .limit(take)
    .execute()

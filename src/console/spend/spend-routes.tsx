import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { MonthLinks, readMonth } from '#console/ranges/month-links.tsx'
import { ImportForm, importPosted, type RefusedImport } from '#console/requests/csv-form.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import type { Column } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup, type FormField } from '#console/shell/edit-form.tsx'
import { makeMoneyColumn, makeTimeColumn, SortableTable } from '#console/shell/sortable-table.tsx'
import { formatDay, startOfMonth, toDay } from '#domain/calendar.ts'
import { maskCampaign } from '#domain/lead/mask-lead.ts'
import { type Message, makeFieldMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { formatNumber } from '#domain/text/formats.ts'
import { describeDay, describeUnit } from '#domain/text/time-formats.ts'
import { type SpendColumns, type SpendField, spendFields } from '#server/money/parse-spend.ts'
import { maxCsvLines } from '#server/platform/mapped-csv.ts'

export const spendPath = '/spend'

interface Refused {
  readonly typed?: SpendColumns
  readonly file?: RefusedImport
}

/** Lets the operator import or type in what ads cost. */
export function spendRoutes({ spend, flash, clock, settings }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message, refused: Refused = {}) => {
    const given = readMonth(c.req.query('month'))
    const { month, rows, totalCents } = await spend.list(c.get('actor'), given.month)
    const thisMonth = startOfMonth(toDay(clock(), settings.delivery.zone))
    const page = (
      <ConsolePage name="Ad spend">
        <h2>Import a file</h2>
        <ImportForm
          permission="change ad spend"
          action={`${spendPath}/import`}
          name="Import ad spend"
          file={file}
          headings={headings}
          columns={await spend.columns()}
          refused={refused.file}
        />
        <h2>Add an amount</h2>
        <EditForm
          permission="change ad spend"
          action={spendPath}
          name="Add ad spend"
          button="Add"
          groups={addGroups}
          values={refused.typed ?? {}}
        />
        <h2>{describeUnit('month', month)}</h2>
        <MonthLinks path={spendPath} month={month} thisMonth={thisMonth} />
        <SortableTable
          name="Ad spend"
          columns={columns}
          rows={rows}
          maxRows={maxRows}
          total={{ amountCents: totalCents }}
          empty="No ad spend has been imported or added for this month."
        />
      </ConsolePage>
    )
    return c.render(page, message ?? given.problem, message ? undefined : given.problem && 400)
  }

  return new Hono<ConsoleEnv>()
    .get(spendPath, (c) => show(c))
    .post(spendPath, async (c) => {
      const { lacks: _, ...typed } = await readForm(c, ...spendFields)
      const { errors, day, correction } = await spend.add(c.get('actor'), typed)
      if (day === undefined) return show(c, makeFieldMessage(errors), { typed })
      const message =
        correction === undefined
          ? makeSuccessMessage('Ad spend added')
          : makeSuccessMessage('Ad spend corrected', `${correction}.`)
      return flash.redirect(c, `${spendPath}?month=${formatDay(day).slice(0, 7)}`, message)
    })
    .post(`${spendPath}/import`, async (c) => {
      const actor = c.get('actor')
      const result = await importPosted(c, spendFields, (...given) => spend.import(actor, ...given))
      if ('refused' in result) return show(c, result.message, { file: result.refused })
      const shown = result.corrections.slice(0, maxShownCorrections).join('; ')
      const text = shown && `${shown}. The audit log has all changes.`
      const message = makeSuccessMessage(`Ad spend imported: ${result.done}`, text || undefined)
      return flash.redirect(c, spendPath, message)
    })
}

/** The message is in a cookie, so it is short. */
const maxShownCorrections = 5

/** The page shows at most this many rows, the file has all. */
const maxRows = 1000

/** A row, or the total, which has an amount alone. */
type SpendRow = Partial<Awaited<ReturnType<ConsoleServices['spend']['list']>>['rows'][number]> & {
  readonly amountCents: number
}

const columns: readonly Column<SpendRow>[] = [
  {
    heading: 'Day',
    cell: ({ day }) => (day === undefined ? 'Total' : describeDay(day)),
    value: ({ day }) => day && formatDay(day),
  },
  { heading: 'Source', cell: ({ source = '' }) => maskCampaign(source) },
  { heading: 'Campaign', cell: ({ campaign = '' }) => maskCampaign(campaign) },
  makeMoneyColumn('Amount', ({ amountCents }) => amountCents),
  { heading: 'Set by', cell: ({ setBy }) => setBy },
  makeTimeColumn('Set at', ({ setAt }) => setAt),
]

const file = {
  label: 'The file',
  hint: `Choose a CSV file with a line of headings and at most ${formatNumber(maxCsvLines)} lines. Another amount of the same day, source and campaign replaces the earlier one. If any line is wrong, the server imports nothing.`,
}

const headings: readonly FormField[] = [
  { name: 'day', label: 'Column of the day', isRequired: true },
  { name: 'source', label: 'Column of the source', isRequired: true },
  { name: 'campaign', label: 'Column of the campaign', hint: 'Optional.' },
  { name: 'amount', label: 'Column of the amount', isRequired: true },
]

const addGroups: readonly FieldGroup<SpendField>[] = [
  {
    fields: [
      { name: 'day', label: 'Day', type: 'date', isRequired: true },
      { name: 'source', label: 'Source', isRequired: true, hint: 'As in utm_source: google.' },
      { name: 'campaign', label: 'Campaign', hint: 'Optional. As in utm_campaign.' },
      {
        name: 'amount',
        label: 'US dollars',
        isRequired: true,
        hint: '0 cancels an earlier amount.',
      },
    ],
  },
]

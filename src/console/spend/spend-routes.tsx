import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { ImportForm, importPosted, type RefusedImport } from '#console/requests/csv-form.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup, type FormField } from '#console/shell/edit-form.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { formatDay } from '#domain/calendar.ts'
import { type Message, makeFieldMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { formatDollars, formatNumber } from '#domain/text/formats.ts'
import { type SpendColumns, type SpendField, spendFields } from '#server/money/parse-spend.ts'
import { maxCsvLines } from '#server/platform/mapped-csv.ts'

export const spendPath = '/spend'

interface Refused {
  readonly typed?: SpendColumns
  readonly file?: RefusedImport
}

/** Lets the operator import or type in what ads cost. */
export function spendRoutes({ spend, flash }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message, refused: Refused = {}) => {
    const rows = await spend.list(c.get('actor'))
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
        <h2>Latest days</h2>
        <DataTable
          name="Ad spend"
          columns={columns}
          rows={rows}
          empty="No ad spend has been imported or added yet."
        />
      </ConsolePage>
    )
    return c.render(page, message)
  }

  return new Hono<ConsoleEnv>()
    .get(spendPath, (c) => show(c))
    .post(spendPath, async (c) => {
      const { lacks: _, ...typed } = await readForm(c, ...spendFields)
      const errors = await spend.add(c.get('actor'), typed)
      if (Object.keys(errors).length > 0) return show(c, makeFieldMessage(errors), { typed })
      return flash.redirect(c, spendPath, makeSuccessMessage('Ad spend added'))
    })
    .post(`${spendPath}/import`, async (c) => {
      const actor = c.get('actor')
      const result = await importPosted(c, spendFields, (...given) => spend.import(actor, ...given))
      if ('refused' in result) return show(c, result.message, { file: result.refused })
      const message = makeSuccessMessage(`Ad spend imported: ${result.done}`)
      return flash.redirect(c, spendPath, message)
    })
}

type SpendRow = Awaited<ReturnType<ConsoleServices['spend']['list']>>[number]

const columns: readonly Column<SpendRow>[] = [
  { heading: 'Day', cell: ({ day }) => formatDay(day) },
  { heading: 'Source', cell: ({ source }) => source },
  { heading: 'Campaign', cell: ({ campaign }) => campaign },
  makeNumberColumn('Amount', ({ amountCents }) => formatDollars(Number(amountCents))),
  { heading: 'Set by', cell: ({ setBy }) => setBy },
  { heading: 'Set at', cell: ({ setAt }) => <Timestamp at={setAt} /> },
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
      { name: 'amount', label: 'US dollars', isRequired: true },
    ],
  },
]

import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { CsvFaultList, describeCsvFaults, readCsvForm } from '#console/requests/csv-form.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { formatDay } from '#domain/calendar.ts'
import { type Message, makeFieldMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { formatDollars, formatNumber } from '#domain/text/formats.ts'
import { describeSpendImport } from '#server/money/manage-spend.ts'
import { type SpendColumns, type SpendField, spendFields } from '#server/money/parse-spend.ts'
import type { LineFault } from '#server/platform/csv-lines.ts'
import { maxCsvLines } from '#server/platform/mapped-csv.ts'

export const spendPath = '/spend'

interface Refused {
  readonly typed?: Readonly<Record<SpendField, string>>
  readonly file?: Readonly<Record<`column-${SpendField}` | 'pasted', string>>
  readonly faults?: readonly LineFault[]
}

/** Lets the operator import or type in what ads cost. */
export function spendRoutes({ spend, flash }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message, refused: Refused = {}) => {
    const rows = await spend.list(c.get('actor'))
    const page = (
      <ConsolePage name="Ad spend">
        <CsvFaultList faults={refused.faults ?? []} />
        <h2>Import a file</h2>
        <EditForm
          permission="change ad spend"
          action={`${spendPath}/import`}
          name="Import ad spend"
          button="Import"
          groups={importGroups}
          values={refused.file ?? { ...toColumnFields(await spend.columns()), pasted: '' }}
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
      const { lacks: _, ...file } = await readForm(c, 'pasted', ...columnFields)
      const text = await readCsvForm(c, file.pasted)
      const headings = Object.fromEntries(
        spendFields.map((field) => [field, file[`column-${field}`]]),
      ) as Record<SpendField, string>
      const result = await spend.import(c.get('actor'), text, headings)
      if (result.kind === 'imported') {
        const message = makeSuccessMessage(`Ad spend imported: ${describeSpendImport(result)}`)
        return flash.redirect(c, spendPath, message)
      }
      const missing = toColumnFields(result.columns)
      return show(c, describeCsvFaults(text, missing, result.faults), {
        file,
        faults: result.faults,
      })
    })
}

const columnFields = spendFields.map((field) => `column-${field}` as const)

const toColumnFields = (columns: Readonly<Partial<SpendColumns>>) =>
  Object.fromEntries(
    Object.entries(columns).map(([field, text]) => [`column-${field}`, text]),
  ) as Readonly<Partial<Record<`column-${SpendField}`, string>>>

type SpendRow = Awaited<ReturnType<ConsoleServices['spend']['list']>>[number]

const columns: readonly Column<SpendRow>[] = [
  { heading: 'Day', cell: ({ day }) => formatDay(day) },
  { heading: 'Source', cell: ({ source }) => source },
  { heading: 'Campaign', cell: ({ campaign }) => campaign },
  makeNumberColumn('Amount', ({ amountCents }) => formatDollars(Number(amountCents))),
  { heading: 'Set by', cell: ({ setBy }) => setBy },
  { heading: 'Set at', cell: ({ setAt }) => <Timestamp at={setAt} /> },
]

const importGroups: readonly FieldGroup<`column-${SpendField}` | 'pasted' | 'file'>[] = [
  {
    fields: [
      {
        name: 'file',
        label: 'The file',
        type: 'file',
        hint: `Choose a CSV file with a line of headings and at most ${formatNumber(maxCsvLines)} lines. Another amount of the same day, source and campaign replaces the earlier one. If any line is wrong, the server imports nothing.`,
      },
      { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
    ],
  },
  {
    legend: 'Headings of the file',
    fields: [
      { name: 'column-day', label: 'Column of the day', isRequired: true },
      { name: 'column-source', label: 'Column of the source', isRequired: true },
      { name: 'column-campaign', label: 'Column of the campaign', hint: 'Optional.' },
      { name: 'column-amount', label: 'Column of the amount', isRequired: true },
    ],
  },
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

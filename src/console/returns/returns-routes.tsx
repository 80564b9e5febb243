import { Hono } from 'hono'
import { AgeChart } from '#console/charts/age-chart.tsx'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { findFilterProblem, parsePageFilter } from '#console/leads/read-filter.ts'
import { RangePicker } from '#console/ranges/range-picker.tsx'
import { rangeParsers, readRange } from '#console/ranges/read-range.ts'
import { CsvFaultList, describeCsvFaults, readCsvForm } from '#console/requests/csv-form.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { type Message, makeSuccessMessage } from '#domain/operator/messages.ts'
import { formatNumber } from '#domain/text/formats.ts'
import { describeReturnsImport } from '#server/delivery/import-returns.ts'
import type { LineFault } from '#server/platform/csv-lines.ts'
import { maxCsvLines } from '#server/platform/mapped-csv.ts'

export const returnsPath = '/returns'

/** What the operator typed into a form that the server refused, and the wrong lines of the file. */
interface RefusedImport {
  readonly typed: Readonly<Record<'lead' | 'date' | 'reason' | 'pasted', string>>
  readonly faults?: readonly LineFault[]
}

/** Lets the operator import the distributor's list of returned leads. */
export function returnsRoutes({ returns, store, flash, clock }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message, refused?: RefusedImport) => {
    const imports = await returns.imports(c.get('actor'))
    const url = parsePageFilter(rangeParsers, c.req.query())
    const periods = readRange(url, clock(), store.zone)
    const ages = await store.forConsole.funnel.returnsByAge(periods.range)
    const problem = findFilterProblem(url.faults, url.unknownName)
    // The form suggests the headings of the last import.
    const { typed, faults = [] } = refused ?? {
      typed: { ...(await returns.columns()), pasted: '' },
    }
    const page = (
      <ConsolePage name="Returns">
        <CsvFaultList faults={faults} />
        <EditForm
          permission="import returns"
          action={returnsPath}
          name="Import returns"
          button="Import"
          groups={fieldGroups}
          values={typed}
        />
        <section aria-labelledby="ages">
          <h2 id="ages">How late leads are returned</h2>
          <RangePicker
            {...{ ...periods, path: returnsPath, given: url.given, faults: url.faults }}
            isCompared={false}
          />
          <AgeChart ages={ages} />
        </section>
        <h2>Imports</h2>
        <DataTable
          name="Imports"
          columns={importColumns}
          rows={imports}
          empty="No returns have been imported yet."
        />
        {imports.length > 0 && (
          <p>
            <a href="/leads?returned=yes">View the returned leads</a>
          </p>
        )}
      </ConsolePage>
    )
    return c.render(page, message ?? problem, message ? undefined : problem && 400)
  }

  return new Hono<ConsoleEnv>()
    .get(returnsPath, (c) => show(c))
    .post(returnsPath, async (c) => {
      const { lacks: _, ...typed } = await readForm(c, 'lead', 'date', 'reason', 'pasted')
      const text = await readCsvForm(c, typed.pasted)
      const result = await returns.import(c.get('actor'), text, typed)
      if (result.kind === 'imported') {
        const message = makeSuccessMessage(`Returns imported: ${describeReturnsImport(result)}`)
        return flash.redirect(c, returnsPath, message)
      }
      const { faults, columns } = result
      return show(c, describeCsvFaults(text, columns, faults), { typed, faults })
    })
}

type ReturnsImport = Awaited<ReturnType<ConsoleServices['returns']['imports']>>[number]

const importColumns: readonly Column<ReturnsImport>[] = [
  { heading: 'Imported', isUnlabeled: true, cell: ({ at }) => <Timestamp at={at} /> },
  makeNumberColumn('Leads', ({ leads }) => leads),
  {
    heading: 'Returned',
    cell: ({ from, to }) => (
      <span>
        <Timestamp at={from} format="day" />
        {to > from && (
          <>
            {' '}
            to <Timestamp at={to} format="day" />
          </>
        )}
      </span>
    ),
  },
]

const fieldGroups: readonly FieldGroup[] = [
  {
    fields: [
      {
        name: 'file',
        label: 'The distributor’s file',
        type: 'file',
        hint: `Choose a CSV file with a line of headings and at most ${formatNumber(maxCsvLines)} leads. Write dates like 2026-11-30 or 11/30/2026, with or without a time like 14:05 or 2:05 PM in the time zone of the school. If any line is wrong, the server imports nothing.`,
      },
      { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
    ],
  },
  {
    legend: 'Headings of the file',
    fields: [
      { name: 'lead', label: 'Id of the lead', isRequired: true },
      { name: 'date', label: 'Date', isRequired: true },
      {
        name: 'reason',
        label: 'Reason',
        hint: 'Leave this field empty if the file has no column with reasons.',
      },
    ],
  },
]

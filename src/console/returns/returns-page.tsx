import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { EditForm, type FieldGroup } from '#console/shell/edit-form.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { formatNumber } from '#domain/text/format-numbers.ts'

export interface ReturnsPageProps {
  imports: readonly ReturnsImportRow[]
  /** The pasted lines, and the column headings: those that the operator typed, or else those of the last import. */
  typed: Readonly<Record<'lead' | 'date' | 'reason' | 'pasted', string>>
  /** The lines that made the server refuse the file. */
  faults: readonly { readonly line: number; readonly message: string }[]
  /** The largest number of lines that a file may have. */
  maxLines: number
}

interface ReturnsImportRow {
  readonly at: number
  readonly leads: number
  readonly from: number
  readonly to: number
}

const columns: readonly Column<ReturnsImportRow>[] = [
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

/** Lets the operator import the distributor's list of returned leads. */
export function ReturnsPage(props: ReturnsPageProps) {
  const { imports, typed, faults, maxLines } = props
  return (
    <ConsolePage name="Returns">
      {faults.length > 0 && (
        <ul aria-label="Wrong lines">
          {faults.map(({ line, message: fault }) => (
            <li key={`${line} ${fault}`}>
              Line {line}: {fault}
            </li>
          ))}
        </ul>
      )}
      <EditForm
        permission="import returns"
        action="/returns"
        name="Import returns"
        button="Import"
        groups={makeReturnsFieldGroups(maxLines)}
        values={typed}
      />
      <h2>Imports</h2>
      <DataTable
        name="Imports"
        columns={columns}
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
}

const makeReturnsFieldGroups = (maxLines: number): readonly FieldGroup[] => [
  {
    fields: [
      {
        name: 'file',
        label: 'The distributor’s file',
        type: 'file',
        hint: `Choose a CSV file with a line of headings and at most ${formatNumber(maxLines)} leads. Write dates like 2026-11-30 or 11/30/2026, with or without a time like 14:05 or 2:05 PM in the time zone of the school. If any line is wrong, the server imports nothing.`,
      },
      { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
    ],
  },
  {
    legend: 'Headings of the file',
    fields: [
      { name: 'lead', label: 'Reference of the lead', isRequired: true },
      { name: 'date', label: 'Date', isRequired: true },
      {
        name: 'reason',
        label: 'Reason',
        hint: 'Leave this field empty if the file has no column with reasons.',
      },
    ],
  },
]

import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { EditForm, type FieldGroup } from '../shell/edit-form.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'

export interface ReturnsPageProps {
  shell: ConsoleShell
  imports: readonly ReturnsImportRow[]
  /** The column headings that the operator typed, or those of the last import; and the pasted lines. */
  typed: Readonly<Record<'lead' | 'date' | 'reason' | 'pasted', string>>
  /** The lines of the file that are wrong; the file was not imported. */
  faults: readonly { readonly line: number; readonly message: string }[]
  message: Message | undefined
  /** The most lines of a file. */
  maxLines: number
}

interface ReturnsImportRow {
  readonly at: number
  readonly leads: number
  readonly from: number
  readonly to: number
}

const columns: readonly Column<ReturnsImportRow>[] = [
  { heading: 'Imported', isPlain: true, cell: ({ at }) => <Timestamp at={at} /> },
  { heading: 'Leads', isNumber: true, cell: ({ leads }) => leads.toLocaleString('en-US') },
  {
    heading: 'Returned',
    cell: ({ from, to }) => (
      <span>
        <Timestamp at={from} as="day" />
        {to > from && (
          <>
            {' '}
            to <Timestamp at={to} as="day" />
          </>
        )}
      </span>
    ),
  },
]

/** Imports the distributor's list of leads that it takes back. */
export function ReturnsPage(props: ReturnsPageProps) {
  const { shell, imports, typed, faults, message, maxLines } = props
  return (
    <ConsolePage shell={shell} name="Returns" message={message}>
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
        shell={shell}
        permission="import returns"
        action="/returns"
        name="Import returns"
        button="Import"
        groups={makeGroups(maxLines)}
        values={typed}
        errors={message?.fields}
      />
      <h2>Imports</h2>
      <DataTable
        name="Imports"
        columns={columns}
        rows={imports}
        keyOf={({ at }) => String(at)}
        empty="The distributor has not taken any lead back, as far as imported files say."
      />
      {imports.length > 0 && (
        <p>
          <a href="/leads?returned=yes">View the returned leads</a>
        </p>
      )}
    </ConsolePage>
  )
}

const makeGroups = (maxLines: number): readonly FieldGroup[] => [
  {
    fields: [
      {
        name: 'file',
        label: 'The distributor’s file',
        type: 'file',
        hint: `CSV with a line of headings and at most ${maxLines.toLocaleString('en-US')} leads. If any line is wrong, nothing is imported.`,
      },
      { name: 'pasted', label: 'Or paste its lines', type: 'lines' },
    ],
  },
  {
    legend: 'Headings of the file',
    fields: [
      { name: 'lead', label: 'Reference of the lead', isRequired: true },
      { name: 'date', label: 'Date', isRequired: true },
      { name: 'reason', label: 'Reason', hint: 'Empty if the file has no reasons.' },
    ],
  },
]

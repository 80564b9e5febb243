import drawn from '#ui/field.module.css'
import { Field, makeFieldIds, TextField } from '#ui/field.tsx'
import choices from '../shell/choices.module.css'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { PostForm, SubmitButton } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'

export interface ReturnsPageProps {
  shell: ConsoleShell
  imports: readonly ReturnsImportRow[]
  /** The headings of the file, as typed or as last imported, and the pasted lines. */
  typed: ReturnsFormProps['typed']
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
      {isActionAllowed(shell, 'import returns') && (
        <ReturnsForm
          token={shell.token}
          typed={typed}
          errors={message?.fields}
          maxLines={maxLines}
        />
      )}
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

interface ReturnsFormProps {
  token: string
  typed: Readonly<Record<'lead' | 'date' | 'reason' | 'pasted', string>>
  errors: Message['fields']
  maxLines: number
}

function ReturnsForm({ token, typed, errors, maxLines }: ReturnsFormProps) {
  const headings = [
    ['lead', 'Reference of the lead'],
    ['date', 'Date'],
    ['reason', 'Reason'],
  ] as const
  const fileHint = `CSV with a line of headings and at most ${maxLines.toLocaleString('en-US')} leads. If any line is wrong, nothing is imported.`
  const [file, pasted] = [
    makeFieldIds('file', fileHint, errors?.file),
    makeFieldIds('pasted', undefined),
  ]
  return (
    <PostForm
      className={controls.narrow}
      action="/returns"
      aria-label="Import returns"
      encType="multipart/form-data"
      token={token}
    >
      <Field name="file" label="The distributor’s file" hint={fileHint} error={errors?.file}>
        <input
          className={drawn.input}
          id={file.control}
          name="file"
          type="file"
          accept=".csv,text/csv,text/plain"
          aria-describedby={file.describedBy}
        />
      </Field>
      <Field name="pasted" label="Or paste its lines" error={undefined}>
        <textarea
          className={drawn.input}
          id={pasted.control}
          name="pasted"
          rows={4}
          defaultValue={typed.pasted}
        />
      </Field>
      <fieldset className={choices.choices}>
        <legend>Headings of the file</legend>
        {headings.map(([name, label]) => (
          <TextField
            key={name}
            name={name}
            label={label}
            {...(name === 'reason' ? { hint: 'Empty if the file has no reasons.' } : {})}
            required={name !== 'reason'}
            autoComplete="off"
            error={errors?.[name]}
            value={typed[name]}
          />
        ))}
      </fieldset>
      <SubmitButton look="primary">Import</SubmitButton>
    </PostForm>
  )
}

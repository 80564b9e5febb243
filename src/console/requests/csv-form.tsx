import type { ConsoleContext } from '#console/console-services.ts'
import { EditForm, type FormField } from '#console/shell/edit-form.tsx'
import { type Message, makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import type { Permission } from '#domain/operator/permissions.ts'
import { pluralize } from '#domain/text/formats.ts'
import { decodeCsv, type LineFault } from '#server/platform/csv-lines.ts'
import { type CsvColumns, describeImport, type ImportResult } from '#server/platform/mapped-csv.ts'
import { readForm, readRawFields } from './read-form.ts'

const maxShownFaults = 100

/** What the operator typed into the form of an import that the server refused, and the wrong lines of the file. */
export interface RefusedImport {
  readonly typed: Readonly<Record<string, string>>
  readonly faults: readonly LineFault[]
}

interface ImportFormProps {
  permission: Permission
  action: string
  name: string
  file: { readonly label: string; readonly hint: string }
  /** The fields with the file's headings, named like the fields of the importer. */
  headings: readonly FormField[]
  /** The headings of the last import. */
  columns: CsvColumns<string>
  refused: RefusedImport | undefined
}

/** Lets the operator choose or paste a file and name its columns. Lists the wrong lines of a refused file. */
export const ImportForm = ({ file, headings, columns, refused, ...form }: ImportFormProps) => (
  <>
    <CsvFaultList faults={refused?.faults ?? []} />
    <EditForm
      {...form}
      button="Import"
      groups={[
        {
          fields: [
            { name: 'file', type: 'file', ...file },
            { name: 'pasted', label: 'Or paste the file’s lines', type: 'lines' },
          ],
        },
        {
          legend: 'Headings of the file',
          fields: headings.map((field) => ({ ...field, name: toColumnField(field.name) })),
        },
      ]}
      values={refused?.typed ?? toColumnFields(columns)}
    />
  </>
)

/** The page may have another form with fields of the same names. */
const toColumnField = (field: string) => `column-${field}`

const toColumnFields = (columns: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(columns).map(([field, text]) => [toColumnField(field), text ?? '']),
  )

/**
 * Imports the file of a posted {@link ImportForm}.
 * @returns what the import did, or why nothing was imported
 */
export async function importPosted<Field extends string>(
  c: ConsoleContext,
  fields: readonly Field[],
  run: (text: string, headings: CsvColumns<Field>) => Promise<ImportResult<Field>>,
): Promise<
  | { readonly done: string; readonly corrections: readonly string[] }
  | { readonly message: Message; readonly refused: RefusedImport }
> {
  const { lacks: _, ...typed } = await readForm(c, 'pasted', ...fields.map(toColumnField))
  const text = await readCsvForm(c, typed.pasted ?? '')
  const headings = fields.map((field) => [field, typed[toColumnField(field)]])
  const result = await run(text, Object.fromEntries(headings) as CsvColumns<Field>)
  if (result.kind === 'imported') {
    return { done: describeImport(result), corrections: result.corrections ?? [] }
  }
  const { faults, columns } = result
  const message = describeCsvFaults(text, toColumnFields(columns), faults)
  return { message, refused: { typed, faults } }
}

/** Reads the CSV of a form's field `file`, or the lines that the operator pasted. */
export async function readCsvForm(c: ConsoleContext, pasted: string): Promise<string> {
  const { file } = await readRawFields(c)
  return file instanceof File && file.size > 0 ? decodeCsv(await file.bytes()) : pasted
}

/** Says why a file was not imported. @param columns an error message for each field with a wrong heading */
export function describeCsvFaults(
  text: string,
  columns: Readonly<Partial<Record<string, string>>>,
  faults: readonly LineFault[],
): Message {
  const fields = text === '' ? { file: 'Choose the file, or paste the file’s lines.' } : columns
  if (Object.keys(fields).length > 0) return makeFieldMessage(fields)
  const heading = `Nothing was imported: ${pluralize(faults.length, 'line is', 'lines are')} wrong`
  const hidden = pluralize(faults.length - maxShownFaults, 'more line')
  const note = `The page lists the first ${maxShownFaults}, and leaves out ${hidden}.`
  return makeProblemMessage(heading, faults.length > maxShownFaults ? note : undefined)
}

/** Lists the wrong lines of a file, at most 100. */
export const CsvFaultList = ({ faults }: { faults: readonly LineFault[] }) =>
  faults.length > 0 && (
    <ul aria-label="Wrong lines">
      {faults.slice(0, maxShownFaults).map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          Line {line}: {message}
        </li>
      ))}
    </ul>
  )

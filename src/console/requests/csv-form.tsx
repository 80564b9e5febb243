import type { ConsoleContext } from '#console/console-services.ts'
import { type Message, makeFieldMessage, makeProblemMessage } from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/formats.ts'
import { decodeCsv, type LineFault } from '#server/platform/csv-lines.ts'
import { readRawFields } from './read-form.ts'

const maxShownFaults = 100

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

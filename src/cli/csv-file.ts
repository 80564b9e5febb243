import { readFile, stat } from 'node:fs/promises'
import { pluralize } from '#domain/text/formats.ts'
import { decodeCsv } from '#server/platform/csv-lines.ts'
import { type CsvFaults, maxCsvBytes } from '#server/platform/mapped-csv.ts'
import type { Report } from './command.ts'
import { CommandError } from './errors.ts'
import { formatBullets } from './terminal.ts'

/**
 * Reads an operator's file. Before reading it, refuses what is no file, such as the endless `/dev/zero`, and a file that
 * the importer would refuse for its size.
 */
export async function readCsvFile(file: string, maxBytes = maxCsvBytes): Promise<string> {
  const refuse = (why: string): never => {
    throw new CommandError(`${file} cannot be read (${why}). Nothing was changed.`)
  }
  const refuseError = ({ code = '' }: NodeJS.ErrnoException) => refuse(code)
  const found = await stat(file).catch(refuseError)
  if (!found.isFile()) refuse('it is not a regular file')
  if (found.size > maxBytes) {
    refuse(`a file may have ${pluralize(maxBytes / 1024 / 1024, 'megabyte')}: split it`)
  }
  return decodeCsv(await readFile(file).catch(refuseError))
}

/** Reports every fault of a CSV file that was not imported. */
export function refuseCsvFile(
  file: string,
  result: Pick<CsvFaults<string>, 'faults'> & Partial<CsvFaults<string>>,
): Report {
  const faults = [
    ...Object.entries(result.columns ?? {}).map(
      ([field, fault]) => `${fault} To name another column, use --${field} <heading>.`,
    ),
    ...result.faults.map(({ line, message }) => `line ${line}: ${message}`),
  ]
  const message = `Nothing was imported from ${file}:${formatBullets(faults)}`
  return { json: result, error: new CommandError(message) }
}

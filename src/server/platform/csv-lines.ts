import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse/sync'

/** A fault in an operator's file. The first line is line 1. */
export interface LineFault {
  readonly line: number
  readonly message: string
}

interface CsvLine {
  /** The record's first line: a value in quotes may contain line breaks. */
  readonly line: number
  readonly values: readonly string[]
}

/** Decodes a file as UTF-16 if its byte order mark says so, otherwise as UTF-8, and removes the mark. */
export function decodeCsv(bytes: Uint8Array): string {
  const [first, second] = bytes
  const mark = `${first} ${second}`
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

interface CsvFile {
  readonly lines: readonly string[]
  readonly delimiter: string
}

/** Splits a file into lines, and finds its separator: the `sep=` line's, or the most frequent one in the headings. */
export function openCsv(text: string): CsvFile {
  const [first = '', ...rest] = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const [, named] = /^"?sep=(.)"?[,;\t]*$/i.exec(first) ?? []
  // A blank line replaces the `sep=` line, so that the other lines keep their numbers.
  if (named !== undefined) return { lines: ['', ...rest], delimiter: named }
  const lines = [first, ...rest]
  const from = lines.findIndex((line) => !isBlank(line, /[,;\t]/g))
  const beginning = lines.slice(Math.max(from, 0), from + 100).join('\n')
  const [headings = ''] = beginning.replace(/"[^"]*("|$)/g, '').split('\n')
  const count = (separator: string) => headings.split(separator).length
  const delimiter = [',', ';', '\t'].reduce((best, next) =>
    count(next) > count(best) ? next : best,
  )
  return { lines, delimiter }
}

const isBlank = (line: string, separator: string | RegExp): boolean =>
  line.replaceAll(separator, '').trim() === ''

/** Longer records are refused: an unclosed quote must not make the rest of the file one record. */
const maxRecordLength = 20_000

const isOpen = (text: string): boolean => (text.split('"').length & 1) === 0

/**
 * Yields each record, or undefined for a skipped line. Joins lines while a quote is open. After a faulty record, goes
 * on with the record's second line, so that an unclosed quote hides no faults of later lines.
 */
function* parseRecords(
  { lines, delimiter }: CsvFile,
  faults: LineFault[],
): Generator<CsvLine | undefined> {
  for (let index = 0; index < lines.length; index += 1) {
    let record = lines[index] ?? ''
    if (isBlank(record, delimiter)) {
      yield undefined
      continue
    }
    const line = index + 1
    let end = index
    let open = isOpen(record)
    while (open && end + 1 < lines.length && record.length <= maxRecordLength) {
      end += 1
      const next = lines[end] ?? ''
      record += `\n${next}`
      open = open !== isOpen(next)
    }
    if (record.includes('\uFFFD')) {
      faults.push({ line, message: 'a character is not UTF-8: save the file as "CSV UTF-8"' })
    }
    const values = parseRecord(record, delimiter)
    if (typeof values === 'string') {
      faults.push({ line, message: values })
      yield undefined
    } else {
      index = end
      yield { line, values }
    }
  }
}

function parseRecord(record: string, delimiter: string): readonly string[] | string {
  const mismatch = 'quotes (") do not match: quote whole values, double a quote inside'
  if (record.length > maxRecordLength && !isOpen(record)) {
    return `a line may have ${maxRecordLength.toLocaleString('en-US')} characters`
  }
  if (isOpen(record)) return mismatch
  try {
    const [values = []] = parse(record, { delimiter, trim: true })
    return values
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return mismatch
  }
}

const hasValues = (record: CsvLine | undefined): record is CsvLine =>
  record?.values.some((value) => value !== '') ?? false

/**
 * Parses a short CSV file (RFC 4180). Skips blank lines, and lines of mere separators, which spreadsheets leave behind.
 * @param faults a list to which the function adds the faults of lines that it cannot parse
 */
export const parseCsvLines = (text: string, faults: LineFault[]): CsvLine[] =>
  [...parseRecords(openCsv(text), faults)].filter(hasValues)

/** The longest time in milliseconds that parsing keeps enquiries waiting. */
const sliceMs = 5

/** Yields the records like {@link parseCsvLines}, but lets other work run meanwhile. */
export async function* parseLongCsv(file: CsvFile, faults: LineFault[]): AsyncGenerator<CsvLine> {
  let until = performance.now() + sliceMs
  for (const record of parseRecords(file, faults)) {
    if (hasValues(record)) yield record
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + sliceMs
  }
}

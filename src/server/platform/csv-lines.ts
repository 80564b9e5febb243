import { CsvError, parse } from 'csv-parse/sync'

/** A fault in an operator's file. The first line is line 1. */
export interface LineFault {
  readonly line: number
  readonly message: string
}

interface CsvLine {
  readonly line: number
  readonly values: readonly string[]
}

const lineBreak = /\r\n|\n|\r/

const isBlankLine = (content: string, delimiter: string): boolean =>
  content.replaceAll(delimiter, '').trim() === ''

/** Counts the lines that are not blank, far faster than {@link parseCsvLines} parses them. */
export const countCsvLines = (text: string, delimiter: string): number =>
  text.split(lineBreak).filter((content) => !isBlankLine(content, delimiter)).length

/**
 * Parses each line of a CSV file by itself, so that an unclosed quote hides no faults of later lines; no value may
 * contain a line break. Skips blank lines, and lines of mere separators, which spreadsheets leave behind.
 * @param faults a list to which the function adds the faults of lines that it cannot parse
 */
export const parseCsvLines = (text: string, faults: LineFault[], delimiter = ','): CsvLine[] =>
  text.split(lineBreak).flatMap((content, index) => {
    if (isBlankLine(content, delimiter)) return []
    const line = index + 1
    if (content.includes('\uFFFD'))
      faults.push({ line, message: 'a character is not UTF-8: save the file as "CSV UTF-8"' })
    const options = { bom: true, delimiter, trim: true, skip_records_with_empty_values: true }
    try {
      return parse(content, options).map((values) => ({ line, values }))
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      const message = 'quotes (") do not match: quote whole values, double a quote inside'
      faults.push({ line, message })
      return []
    }
  })

import { CsvError, parse } from 'csv-parse/sync'

/** A mistake in an operator's file, at its line from 1 on. */
export interface LineFault {
  readonly line: number
  readonly message: string
}

export interface CsvLine {
  readonly line: number
  readonly values: readonly string[]
}

const lineBreak = /\r\n|\n|\r/

const isBlankLine = (content: string, delimiter: string): boolean =>
  content.replaceAll(delimiter, '').trim() === ''

/** Counts the lines that are not blank, which is far faster than parsing them. */
export const countCsvLines = (text: string, delimiter: string): number =>
  text.split(lineBreak).filter((content) => !isBlankLine(content, delimiter)).length

/**
 * Parses CSV line by line: no value needs a line break, and an unclosed quote would otherwise hide the faults of the rows
 * below it. Blank lines, and the rows of separators that spreadsheets leave behind, are skipped.
 *
 * @param faults receives the faults of the lines that cannot be parsed
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

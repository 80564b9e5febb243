import { type Day, parseTypedDay } from '#domain/calendar.ts'
import { makeOriginKey } from '#domain/lead/attribution.ts'
import { parseDollars } from '#domain/money/dated-value.ts'
import { toPlainLine } from '#domain/text/plain-line.ts'
import { removeFormulaMarks } from '#server/platform/export-formats.ts'
import {
  type CsvColumns,
  quoteValue,
  readMappedCsv,
  unclosedQuote,
} from '#server/platform/mapped-csv.ts'

export const spendFields = ['day', 'source', 'campaign', 'amount'] as const
export type SpendField = (typeof spendFields)[number]
export type SpendColumns = CsvColumns<SpendField>

export const defaultSpendColumns: SpendColumns = {
  ...{ day: 'day', source: 'source', campaign: 'campaign', amount: 'amount' },
}

/** What ads of a source, and of a campaign if it is not empty, cost on a day. */
export interface SpendLine {
  readonly day: Day
  readonly source: string
  readonly campaign: string
  readonly amountCents: number
}

/** The server cuts longer values of links. */
const maxLength = 500

const cleanName = (text: string): string => toPlainLine(removeFormulaMarks(text.trim()))

/** Days before this one are typing errors. */
const earliestDay: Day = Date.UTC(2000, 0, 1)

/**
 * Reads a line of ad spend.
 * @param today the last day that may have spend
 * @returns the line, or an error message for each wrong field
 */
export function parseSpendLine(
  texts: SpendColumns,
  today: Day,
): { readonly line?: SpendLine; readonly errors: Readonly<Partial<SpendColumns>> } {
  const day = parseTypedDay(texts.day)
  const [source, campaign] = [cleanName(texts.source), cleanName(texts.campaign)]
  const amountCents = parseDollars(texts.amount, 100_000_000)
  const isLong = `a text may have ${maxLength} characters`
  const errors: { [Field in SpendField]?: string } = {
    ...(day === undefined && {
      day: `${quoteValue(texts.day)} is not a day: write it like 2026-11-30 or 11/30/2026`,
    }),
    ...(day !== undefined && day > today && { day: `${quoteValue(texts.day)} is in the future` }),
    ...(day !== undefined &&
      day < earliestDay && { day: `${quoteValue(texts.day)} is before the year 2000` }),
    ...(source === '' && { source: 'the source is missing' }),
    ...(source.length > maxLength && { source: isLong }),
    ...(campaign.length > maxLength && { campaign: isLong }),
    ...(amountCents === undefined && {
      amount: `${quoteValue(texts.amount)} is not an amount of US dollars: write it like 1250.00`,
    }),
  }
  return day === undefined || amountCents === undefined || Object.keys(errors).length > 0
    ? { errors }
    : { line: { day, source, campaign, amountCents }, errors }
}

export const makeSpendKey = ({
  day,
  source,
  campaign,
}: Omit<SpendLine, 'amountCents' | 'day'> & { readonly day: Day | string }): string =>
  JSON.stringify([day, makeOriginKey(source), makeOriginKey(campaign)])

/** Reads a file of ad spend. */
export const parseSpend = (text: string, columns: SpendColumns, today: Day) =>
  readMappedCsv(text, columns, {
    fields: spendFields,
    optional: 'campaign',
    advice: 'keep only days, sources, campaigns and amounts',
    keyOf: ([day = '', source = '', campaign = '']) =>
      makeSpendKey({
        day: parseTypedDay(day) ?? day,
        source: cleanName(source),
        campaign: cleanName(campaign),
      }),
    describeRepeat: (line) =>
      `the day, source and campaign are on line ${line} already: add up the amounts`,
    read: ([day = '', source = '', campaign = '', amount = ''], _, all): SpendLine | string => {
      if (all.some((value) => value.includes('\n'))) return unclosedQuote
      const { line, errors } = parseSpendLine({ day, source, campaign, amount }, today)
      return line ?? Object.values(errors).join('; ')
    },
  })

import { Option } from 'commander'
import { formatDay, parseRangeStart, toDay } from '#domain/calendar.ts'
import {
  type ComparedPeriods,
  defaultRange,
  makeComparedPeriods,
  type Period,
  type RangeName,
  rangeNames,
} from '#domain/measuring/periods.ts'
import type { ReportingCommand } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import type { CommandContext } from './store.ts'
import { parseWhen } from './terminal.ts'

/** The options that choose a command's days, with the words of the console's addresses. */
export interface RangeOptions {
  readonly range?: RangeName
  readonly from?: string
  readonly to?: string
}

export const makeRangeOption = (description: string): Option =>
  new Option('--range <range>', description).choices(rangeNames)

export const addRangeOptions = (command: ReportingCommand): ReportingCommand =>
  command
    .addOption(makeRangeOption('the days when the leads were received').default(defaultRange))
    .option(
      '--from <when>',
      'the first day, instead of a range: a day or an age such as 90d',
      parseWhen,
    )
    .option('--to <when>', 'the last day: a day or an age such as 1d', parseWhen)

export function readPeriods(
  { store }: Pick<CommandContext, 'store'>,
  { range, from, to }: RangeOptions,
): ComparedPeriods {
  const { zone } = store
  const parse = (text: string | undefined) => {
    const at = text === undefined ? undefined : parseRangeStart(text, zone)
    return at === undefined ? undefined : toDay(at, zone)
  }
  const days = { from: parse(from), to: parse(to) }
  const today = toDay(store.clock(), zone)
  if ((days.from ?? 0) > Math.min(days.to ?? today, today)) {
    throw new CommandError('--from is after --to, or in the future.', exitCodes.usage)
  }
  return makeComparedPeriods({ range, ...days }, store.clock(), zone)
}

/** Returns, for example, `2026-11-01 to 2026-11-28`. */
export const formatPeriod = ({ first, last }: Period): string =>
  first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`

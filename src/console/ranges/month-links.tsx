import controls from '#console/shell/controls.module.css'
import { addMonths, type Day, formatMonth, parseMonth } from '#domain/calendar.ts'
import { type Message, makeProblemMessage } from '#domain/operator/messages.ts'
import { describeUnit } from '#domain/text/time-formats.ts'

/** Reads the parameter `month`. Undefined without one, or with a wrong one, which has a message. */
export function readMonth(given: string | undefined): { month?: Day; problem?: Message } {
  if (given === undefined) return {}
  const month = parseMonth(given)
  if (month !== undefined) return { month }
  return { problem: makeProblemMessage(`“${given}” is not a month: write it like 2026-11`) }
}

interface MonthLinksProps {
  path: string
  month: Day
  /** The month that runs now, the last one with a link. */
  thisMonth: Day
}

/** Leads to the months before and after a page's month. */
export const MonthLinks = ({ path, month, thisMonth }: MonthLinksProps) => (
  <nav aria-label="Months" className={controls.acts}>
    <MonthLink path={path} month={addMonths(month, -1)} before="← " />{' '}
    {month < thisMonth && <MonthLink path={path} month={addMonths(month, 1)} after=" →" />}
  </nav>
)

interface MonthLinkProps extends Omit<MonthLinksProps, 'thisMonth'> {
  before?: string
  after?: string
}

export const MonthLink = ({ path, month, before = '', after = '' }: MonthLinkProps) => (
  <a href={`${path}?month=${formatMonth(month)}`}>
    {before + describeUnit('month', month) + after}
  </a>
)

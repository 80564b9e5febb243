import { Fragment } from 'react'
import { FilterField } from '#console/leads/filter-form.tsx'
import { formatQueryString } from '#console/leads/read-filter.ts'
import { SubmitButton } from '#console/shell/forms.tsx'
import { useShell } from '#console/shell/shell.tsx'
import { addMonths, formatDay, startOfMonth } from '#domain/calendar.ts'
import { defaultRange, describeRange, endOfUnit, rangeNames } from '#domain/measuring/periods.ts'
import { describeDays, describeUnit } from '#domain/text/time-formats.ts'
import styles from './range-picker.module.css'
import type { RangeField, readRange } from './read-range.ts'

export interface RangePickerProps extends ReturnType<typeof readRange> {
  path: string
  /** The parameters in the page's URL, by name; links and the form keep those that don't choose the range. */
  given: Readonly<Record<RangeField, string>>
  faults: Readonly<Partial<Record<RangeField, string>>>
  /** When the page compares the range with another; by default, always. */
  comparison?: keyof typeof comparisons
}

const usualComparisons = {
  before: 'compare with the period before',
  year: 'compare with a year ago',
}

/** The comparisons that a page offers. */
const comparisons = {
  always: usualComparisons,
  'on request': { ...usualComparisons, none: 'don’t compare' },
  never: {},
}

/** The picker links to this many months before the current one. */
const offeredMonths = 12

/** Lets the operator choose the days of a page by a link, or by dates in a form, and says which days the page shows. */
export function RangePicker(props: RangePickerProps) {
  const { path, given, faults, range, before, today, comparison = 'always' } = props
  useShell().nameFile?.(`${formatDay(range.first)} to ${formatDay(range.last)}`)
  const hasDates = given.from !== '' || given.to !== ''
  const current = hasDates ? undefined : given.range || defaultRange
  const makeUrl = (changed: Partial<Record<RangeField, string>>) => {
    const query = formatQueryString({ ...given, ...changed })
    return query === '' ? path : `${path}?${query}`
  }
  const usual = comparison === 'always' ? 'before' : 'none'
  const compared = comparison === 'never' ? 'none' : given.compare || usual
  const offered = Object.entries(comparisons[comparison]).filter(([name]) => name !== compared)
  return (
    <div className={styles.range}>
      <nav className={styles.names} aria-label="Range">
        {rangeNames.map((name) => (
          <a
            key={name}
            href={makeUrl({ range: name === defaultRange ? '' : name, from: '', to: '' })}
            aria-current={name === current ? 'true' : undefined}
          >
            {describeRange(name)}
          </a>
        ))}
      </nav>
      <details open={hasDates || undefined}>
        <summary>A month or other days</summary>
        <nav className={styles.names} aria-label="Months">
          {Array.from({ length: offeredMonths }, (_, index) => {
            const first = addMonths(startOfMonth(today), -index - 1)
            const last = endOfUnit(first, 'month')
            const isCurrent = range.first === first && range.last === last
            return (
              <a
                key={first}
                href={makeUrl({ range: '', from: formatDay(first), to: formatDay(last) })}
                aria-current={isCurrent || undefined}
              >
                {describeUnit('month', first)}
              </a>
            )
          })}
        </nav>
        <form className={styles.dates} method="get" action={path} aria-label="Other days">
          {Object.entries({ ...given, from: '', to: '', range: '' })
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
          <FilterField
            {...{ name: 'from', label: 'From', type: 'date', value: given.from }}
            problem={faults.from}
          />
          <FilterField
            {...{ name: 'to', label: 'To', type: 'date', value: given.to }}
            problem={faults.to}
          />
          <SubmitButton>Show</SubmitButton>
        </form>
      </details>
      <p>
        {describeDays(range)}
        {compared !== 'none' && `, compared with ${describeDays(before)}`}
        {offered.map(([name, text], index) => (
          <Fragment key={name}>
            {index === 0 ? ' (' : ' or '}
            <a href={makeUrl({ compare: name === usual ? '' : name })}>{text}</a>
          </Fragment>
        ))}
        {offered.length > 0 && ')'}.
      </p>
    </div>
  )
}

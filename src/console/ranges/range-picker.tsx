import { FilterField } from '#console/leads/filter-form.tsx'
import { formatQueryString } from '#console/leads/read-filter.ts'
import { SubmitButton } from '#console/shell/forms.tsx'
import {
  type ComparedPeriods,
  defaultRange,
  describeRange,
  rangeNames,
} from '#domain/measuring/periods.ts'
import { describeDays } from '#domain/text/time-formats.ts'
import styles from './range-picker.module.css'
import type { RangeField } from './read-range.ts'

export interface RangePickerProps extends ComparedPeriods {
  path: string
  /** The parameters in the page's URL, by name; links and the form keep those that don't choose the range. */
  given: Readonly<Record<RangeField, string>>
  faults: Readonly<Partial<Record<RangeField, string>>>
  /** False if the page doesn't compare the range with another. */
  isCompared?: boolean
}

/** Lets the operator choose the days of a page by a link, or by dates in a form, and says which days the page shows. */
export function RangePicker(props: RangePickerProps) {
  const { path, given, faults, range, before, isCompared = true } = props
  const hasDates = given.from !== '' || given.to !== ''
  const current = hasDates ? undefined : given.range || defaultRange
  const makeUrl = (changed: Partial<Record<RangeField, string>>) => {
    const query = formatQueryString({ ...given, ...changed })
    return query === '' ? path : `${path}?${query}`
  }
  const other = given.compare === 'year' ? '' : 'year'
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
        <summary>Other days</summary>
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
        {isCompared && (
          <>
            , compared with {describeDays(before)} (
            <a href={makeUrl({ compare: other })}>
              {other === 'year' ? 'compare with a year ago' : 'compare with the period before'}
            </a>
            )
          </>
        )}
        .
      </p>
    </div>
  )
}

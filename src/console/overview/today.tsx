import type { BehindNoticeProps } from '../leads/behind-notice.tsx'
import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'
import { Figure } from './figure.tsx'
import styles from './figures.module.css'

export interface TodayProps {
  /** Undefined where it is not known: days are UTC's then. */
  zone: string | undefined
  /** Where not all that has happened is in these numbers yet. */
  behind: BehindNoticeProps | undefined
  day: Day
  /** Of those received today. */
  byStatus: Readonly<Record<TodayStatus, number>>
  /** The days before it that the store knows of, the newest first, and the middle of what they had by this time. */
  before: readonly Day[]
  usual: number | undefined
}

type TodayStatus =
  | 'delivered'
  | 'rejected'
  | 'owed'
  | 'dead'
  | 'quarantined'
  | 'duplicate'
  | 'erased'

interface Day {
  /** `2026-11-22`. */
  readonly date: string
  readonly soFar: number
  readonly whole: number
  readonly spans: { readonly soFar: Span; readonly whole: Span }
}

/** Epoch milliseconds. */
interface Span {
  readonly since: number
  readonly until: number
}

const outcomes: readonly (readonly [TodayStatus, name: string, query: string])[] = [
  ['delivered', 'accepted', 'status=delivered'],
  ['rejected', 'rejected', 'status=rejected'],
  ['owed', 'waiting', 'status=pending&status=leased'],
  ['dead', 'dead', 'status=dead'],
  ['quarantined', 'in quarantine', 'status=quarantined'],
  ['duplicate', 'duplicates', 'status=duplicate'],
  ['erased', 'erased', 'status=erased'],
]

/** Of what is rare nothing is said where there is none. */
const rare: ReadonlySet<TodayStatus> = new Set(['duplicate', 'erased'])

export function Today({ zone, behind, day, byStatus, before, usual }: TodayProps) {
  const from = `from=${exact(day.spans.whole.since)}`
  const shown = outcomes.filter(([status]) => !rare.has(status) || byStatus[status] > 0)
  return (
    <div className={styles.today}>
      <div>
        {behind !== undefined && (
          <Notice kind="note" heading={`Still being counted: ${behind.changes} to go`}>
            <p>
              These numbers are complete as of <Moment at={behind.since} />. Those of all leads
              below know of everything.
            </p>
          </Notice>
        )}
        <p className={styles.said}>
          {comparison(day.soFar, before, usual)}{' '}
          {zone === undefined
            ? 'Days are those of UTC, as this browser has not said where it is.'
            : `Days are those of ${zone.replaceAll('_', ' ')}.`}
        </p>
        <dl className={styles.figures}>
          <Figure name="received" count={day.soFar} href={`/leads?${from}`} isFirst />
          {shown.map(([status, name, query]) => (
            <Figure
              key={status}
              name={name}
              count={byStatus[status]}
              href={`/leads?${query}&${from}`}
            />
          ))}
        </dl>
      </div>
      {before.length > 0 && <Days days={[day, ...before]} />}
    </div>
  )
}

function comparison(soFar: number, before: readonly Day[], usual: number | undefined): string {
  if (usual === undefined) return 'There is no day before it to compare with yet.'
  const counts = before.map((day) => day.soFar)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const days = before.length === 1 ? 'the day before' : `the ${before.length} days before`
  const range = least === most ? '' : ` in the median (${inWords(least)} to ${inWords(most)})`
  return `${inWords(soFar)} so far. By this time ${days} had ${inWords(usual)}${range}.`
}

const inWords = (count: number): string => count.toLocaleString('en-US')

/** The exact time, as the list's filter reads it. */
const exact = (at: number): string => new Date(at).toISOString()

const weekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** A chart that is its own table. */
function Days({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ whole }) => whole))
  const hrefOf = ({ since, until }: Span) => `/leads?from=${exact(since)}&to=${exact(until)}`
  return (
    <table className={styles.days} aria-label="Leads by day">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <td />
          <th scope="col">By this time</th>
          <th scope="col">Whole day</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, soFar, whole, spans }, index) => (
          <tr key={date}>
            <th scope="row">{index === 0 ? 'Today' : weekday.format(new Date(date))}</th>
            <td className={styles.bar}>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect className={styles.whole} width={share(whole, most)} height="10" />
                <rect className={styles.soFar} width={share(soFar, most)} height="10" />
              </svg>
            </td>
            <td className={styles.number}>
              <a href={hrefOf(spans.soFar)}>{inWords(soFar)}</a>
            </td>
            <td className={styles.number}>
              {index === 0 ? '–' : <a href={hrefOf(spans.whole)}>{inWords(whole)}</a>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const share = (count: number, most: number): number => Math.round((count / most) * 1000) / 10

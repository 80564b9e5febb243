import type { AffiliateAnswerCounts, AnswerCounts } from '#domain/delivery/deliveries-view.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { LeadName, LeadStatusBadge } from '../lead/lead-name.tsx'
import { leadOutcomes } from '../lead/lead-status.tsx'
import { EmptyStoreHint, type EmptyStoreHintProps, type LeadRow } from '../leads/lead-table.tsx'
import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '../shell/data-table.tsx'
import { Figure } from '../shell/figure.tsx'
import styles from '../shell/figures.module.css'
import { Notice } from '../shell/message.tsx'
import { Timestamp } from '../shell/times.tsx'
import {
  describeAcceptance,
  findAlerts,
  findQuarantineAlert,
  formatShare,
  type OverviewAlert,
  type OverviewData,
} from './alerts.ts'

export interface OverviewPageProps extends EmptyStoreHintProps {
  shell: ConsoleShell
  /** The current time, in epoch milliseconds. */
  now: number
  leads: number
  data: OverviewData
  today: TodayProps | undefined
  /** The distributor's responses by affiliate id, most leads first. */
  affiliates: readonly AffiliateRow[]
  latest: readonly LatestRow[]
}

type LatestRow = Pick<LeadRow, 'id' | 'receivedAt' | 'initials' | 'area' | 'program' | 'status'>

const columns: readonly Column<LatestRow>[] = [
  { heading: 'Received', isPlain: true, cell: LeadName },
  { heading: 'Status', isPlain: true, cell: ({ status }) => <LeadStatusBadge status={status} /> },
  { heading: 'Initials', isWhole: true, isPlain: true, cell: ({ initials }) => initials },
  { heading: 'Area', isPlain: true, isMinor: true, cell: ({ area }) => area },
  { heading: 'Program', isLong: true, isPlain: true, cell: ({ program }) => program },
]

const formatAcceptanceRate = (answers: AnswerCounts): string =>
  answers.delivered + answers.rejected === 0
    ? '–'
    : `${formatShare(answers, 'delivered')} of ${formatNumber(answers.delivered + answers.rejected)}`

interface AffiliateRow extends AffiliateAnswerCounts {
  /** The id, with the name of the affiliate that has it. */
  readonly label: string
}

const affiliateColumns: readonly Column<AffiliateRow>[] = [
  {
    heading: 'Affiliate',
    cell: ({ affiliate, label }) => (
      <a href={`/leads?affiliate=${encodeURIComponent(affiliate)}`}>{label}</a>
    ),
  },
  makeNumberColumn('Last 24 hours', ({ lastDay }) => formatAcceptanceRate(lastDay)),
  makeNumberColumn('Seven days before', ({ before }) => formatAcceptanceRate(before)),
]

/**
 * Milliseconds after which a live page is refreshed without a change event, because counts are cached and a store that
 * refuses writes sends no change event.
 */
export const refreshInterval = 5000

/** Shows current problems, today's leads compared with the last days, and the latest leads. */
export function OverviewPage(props: OverviewPageProps) {
  const { shell, site, now, leads, data, today, affiliates, latest } = props
  return (
    <ConsolePage shell={shell} name="Overview" isLive>
      <div data-live-again={refreshInterval}>
        {leads === 0 && data.notStored === undefined ? (
          <Notice kind="note" heading="No leads yet">
            <p>
              <EmptyStoreHint site={site} />
            </p>
          </Notice>
        ) : (
          <StatusSummary data={data} now={now} />
        )}
      </div>
      {leads > 0 && today && (
        <section aria-labelledby="today">
          <h2 id="today">Today</h2>
          <Today {...today} />
        </section>
      )}
      {affiliates.length > 0 && (
        <section aria-labelledby="affiliates" data-live-rows="">
          <h2 id="affiliates">Acceptance by affiliate</h2>
          <p>
            The share of accepted leads among those that the distributor accepted or rejected. The
            table shows the ids with the most such leads. <a href="/affiliates">All affiliates</a>
          </p>
          <DataTable
            name="Acceptance by affiliate"
            columns={affiliateColumns}
            rows={affiliates}
            keyOf={({ affiliate }) => affiliate}
            empty=""
          />
        </section>
      )}
      <section aria-labelledby="latest" data-live-rows="">
        <h2 id="latest">Latest leads</h2>
        <DataTable
          name="Latest leads"
          isCompact
          columns={columns}
          rows={latest}
          keyOf={({ id }) => id}
          empty="New leads appear here."
        />
      </section>
    </ConsolePage>
  )
}

/**
 * Lists each problem with its start and what to do, or says that deliveries are running. Links to the leads that wait
 * for an operator.
 */
export function StatusSummary({ data, now }: { data: OverviewData; now: number }) {
  const troubles = findAlerts(data, now)
  const waiting = findQuarantineAlert(data)
  return (
    <div className={styles.troubles}>
      {troubles.length === 0 && <HealthyDeliveries data={data} />}
      {troubles.map((trouble) => (
        <AlertNotice key={trouble.what} {...trouble} />
      ))}
      {waiting !== undefined && <AlertNotice {...waiting} />}
    </div>
  )
}

/** Says that deliveries run, and how many leads are rejected or in quarantine. */
const HealthyDeliveries = ({ data: { answers, pending, quarantined } }: { data: OverviewData }) => (
  <Notice kind="well" heading="Deliveries are running">
    <p>
      There is no pause, outage or failed lead.{' '}
      {pending > 0 && (
        <>
          <a href="/leads?status=pending">{pluralize(pending, 'lead')}</a>{' '}
          {pending === 1 ? 'waits' : 'wait'} for the next attempt.{' '}
        </>
      )}
      {describeAcceptance(answers)}{' '}
      {answers !== undefined && answers.lastDay.rejected > 0 && (
        <>
          <a href="/deliveries">Responses</a>.{' '}
        </>
      )}
      {quarantined.count === 0 && 'No lead is quarantined.'}
    </p>
  </Notice>
)

const AlertNotice = ({ kind, what, since, more, todo, list, section }: OverviewAlert) => (
  <Notice kind={kind} heading={what}>
    <p>
      {since && (
        <>
          {since.words} <Timestamp at={since.at} />.{' '}
        </>
      )}
      {more}
    </p>
    <p>
      <strong>What to do:</strong> {todo} {list && <a href={list.href}>{list.words}</a>}
      {list && '. '}
      See docs/runbook.md, “{section}”.
    </p>
  </Notice>
)

export interface TodayProps {
  /** The operator's time zone; undefined if unknown, so that days are UTC days. */
  zone: string | undefined
  day: Day
  /** The leads received today, counted by status. */
  byStatus: Readonly<Record<TodayStatus, number>>
  /**
   * Earlier days with stored leads, newest first. `usual` is the median of the leads received on earlier days up to the
   * current time of day.
   */
  before: readonly Day[]
  usual: number | undefined
}

type TodayStatus = (typeof leadOutcomes)[number][0]

interface Day {
  /** The date, as in `2026-11-22`. */
  readonly date: string
  readonly soFar: number
  readonly whole: number
  readonly spans: { readonly soFar: Span; readonly whole: Span }
}

/** A period; both ends are in epoch milliseconds. */
interface Span {
  readonly since: number
  readonly until: number
}

/** Statuses shown only if a lead has them. Viewers must not see duplicates, so viewers get a count of zero. */
const rareStatuses: readonly TodayStatus[] = ['duplicate', 'erased']

export function Today({ zone, day, byStatus, before, usual }: TodayProps) {
  const from = `from=${toIsoTime(day.spans.whole.since)}`
  const shown = leadOutcomes.filter(
    ([status]) => !rareStatuses.includes(status) || byStatus[status] > 0,
  )
  return (
    <div className={styles.today}>
      <div>
        <p className={styles.sentence}>
          {formatNumber(day.soFar)} received so far.{' '}
          {usual !== undefined &&
            `At this time of day, the median of the last ${pluralize(before.length, 'day')} is ${formatNumber(usual)}. `}
          {zone === undefined
            ? 'Days are UTC days until the browser reports its time zone.'
            : `Days in ${zone.replaceAll('_', ' ')}.`}
        </p>
        <dl className={styles.figures}>
          <Figure
            name="received"
            figure={formatNumber(day.soFar)}
            href={`/leads?${from}`}
            isTotal
          />
          {shown.map(([status, name, query]) => (
            <Figure
              key={status}
              name={name}
              figure={formatNumber(byStatus[status])}
              href={`/leads?${query}&${from}`}
            />
          ))}
        </dl>
      </div>
      {before.length > 0 && <DailyCounts days={[day, ...before]} />}
    </div>
  )
}

const formatNumber = (count: number): string => count.toLocaleString('en-US')

/** Formats a time as an ISO string, for the filter of the leads list. */
const toIsoTime = (at: number): string => new Date(at).toISOString()

const weekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

function DailyCounts({ days }: { days: readonly Day[] }) {
  const maxCount = Math.max(1, ...days.map(({ whole }) => whole))
  const share = (count: number) => Math.round((count / maxCount) * 1000) / 10
  const link = ({ since, until }: Span, count: number) => (
    <a href={`/leads?from=${toIsoTime(since)}&to=${toIsoTime(until)}`}>{formatNumber(count)}</a>
  )
  return (
    <table className={styles.days} aria-label="Leads by day">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <td />
          <th scope="col">So far</th>
          <th scope="col">Whole day</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, soFar, whole, spans }, index) => (
          <tr key={date}>
            <th scope="row">{index === 0 ? 'Today' : weekday.format(new Date(date))}</th>
            <td className={styles.bar}>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect className={styles.whole} width={share(whole)} height="10" />
                <rect className={styles.soFar} width={share(soFar)} height="10" />
              </svg>
            </td>
            <td className={styles.number}>{link(spans.soFar, soFar)}</td>
            <td className={styles.number}>{index === 0 ? '–' : link(spans.whole, whole)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

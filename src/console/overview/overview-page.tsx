import { Fragment } from 'react'
import { TrendChart } from '#console/charts/trend-chart.tsx'
import { LeadsByStatusTable } from '#console/funnel/lead-results.tsx'
import { EmptyStoreHint, type EmptyStoreHintProps, LeadTable } from '#console/leads/lead-table.tsx'
import { RangePicker, type RangePickerProps } from '#console/ranges/range-picker.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { DescriptionList, StatTile } from '#console/shell/description-list.tsx'
import styles from '#console/shell/figures.module.css'
import { ButtonForm } from '#console/shell/forms.tsx'
import { Callout, TextWithLinks } from '#console/shell/message.tsx'
import { useMayDo, useShell } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { formatDay, toDay } from '#domain/calendar.ts'
import { listAssertedFields } from '#domain/lead/asserted-fields.ts'
import { isPersonalStatus, leadOutcomes } from '#domain/lead/lead-status.ts'
import { findMedian } from '#domain/median.ts'
import { formatNumber, pluralize } from '#domain/text/formats.ts'
import { describeDay } from '#domain/text/time-formats.ts'
import {
  describeAcceptance,
  findAlerts,
  findQuarantineAlert,
  type OverviewAlert,
} from '#server/alerts/alerts.ts'
import type { Overview, OverviewData } from '#server/alerts/overview-reader.ts'
import type { ListedLead } from '#server/leads/list-leads.ts'
import type { ComparedFigures } from '#server/measuring/read-figures.ts'
import type { Trend } from '#server/measuring/read-trend.ts'

interface OverviewPageProps extends EmptyStoreHintProps {
  now: number
  range: RangePickerProps
  /** The figures of the range and of the compared period. */
  figures: ComparedFigures
  trend: Trend
  overview: Overview
  latest: readonly ListedLead[]
  disclosureCovers: readonly string[]
}

/** Milliseconds after which a live page refreshes even without an event. A full disk and cached counts cause no event. */
export const refreshIntervalMs = 5000

/** Shows current problems, today's leads compared with the last days, and the latest leads. */
export function OverviewPage(props: OverviewPageProps) {
  const { site, now, overview, latest } = props
  const { leads, data } = overview
  const mayDo = useMayDo()
  return (
    <ConsolePage name="Overview" isLive>
      <div data-live-again={refreshIntervalMs}>
        {leads === 0 && data.notStored === undefined ? (
          <Callout kind="note" heading="No leads yet">
            <p>
              <EmptyStoreHint site={site} />
            </p>
          </Callout>
        ) : (
          <StatusSummary data={data} now={now} />
        )}
      </div>
      {leads > 0 && (
        <section aria-labelledby="today">
          <h2 id="today">Today</h2>
          <Today {...overview} />
        </section>
      )}
      {leads > 0 && <Figures {...props} />}
      <section aria-labelledby="latest" data-live-rows="">
        <h2 id="latest">Latest leads</h2>
        <LeadTable name="Latest leads" rows={latest} empty="New leads appear here." />
      </section>
      {!props.disclosureCovers.includes('phone') && (
        <Callout kind="note" heading="Leads assert a consent that visitors were not asked for">
          <p>
            Each lead says <code>tcpa_consent: Yes</code>, but the disclosure does not cover phone.
            content/README.md has a text for your lawyer.
          </p>
        </Callout>
      )}
      <AssertedFields covers={props.disclosureCovers} />
      {mayDo('test alerts') && <ButtonForm action="/alerts/test" button="Send a test alert" />}
    </ConsolePage>
  )
}

/** Says what each lead tells the distributor without an answer of the visitor (reading 35). */
export function AssertedFields({ covers }: { covers: readonly string[] }) {
  const fields = listAssertedFields(covers)
  return (
    <details>
      <summary>{pluralize(fields.length, 'field')} of each lead: asserted, not asked</summary>
      <DescriptionList
        items={fields.map(({ field, how }) => [<code key={field}>{field}</code>, how])}
      />
    </details>
  )
}

/** Lists each problem with its beginning and the operator's next step, or says that deliveries are running. */
export function StatusSummary({ data, now }: { data: OverviewData; now: number }) {
  const alerts = findAlerts(data, now)
  const quarantineAlert = findQuarantineAlert(data)
  return (
    <div className={styles.alerts}>
      {alerts.length === 0 && <HealthyDeliveries data={data} />}
      {alerts.map((alert) => (
        <AlertCallout key={alert.title} {...alert} />
      ))}
      {quarantineAlert !== undefined && <AlertCallout {...quarantineAlert} />}
    </div>
  )
}

function HealthyDeliveries({ data }: { data: OverviewData }) {
  const { answers, pending, held, quarantined } = data
  const waiting = pending - held.reduce((sum, { count }) => sum + count, 0)
  return (
    <Callout kind="well" heading="Deliveries are running">
      <p>
        There is no pause, outage or failed lead.{' '}
        {waiting > 0 && (
          <>
            <a href="/leads?status=pending">{pluralize(waiting, 'lead')}</a>{' '}
            {waiting === 1 ? 'waits' : 'wait'} for the next attempt.{' '}
          </>
        )}
        {held.map(({ count, until }) => (
          <Fragment key={until}>
            <a href="/leads?held=any">{pluralize(count, 'lead')}</a> {count === 1 ? 'is' : 'are'}{' '}
            held by a cap {until}.{' '}
          </Fragment>
        ))}
        {describeAcceptance(answers, useShell().zone)}{' '}
        {answers.lastDay.rejected > 0 && (
          <>
            <a href="/deliveries">Responses</a>.{' '}
          </>
        )}
        {quarantined.count === 0 && 'No lead is quarantined.'}
      </p>
    </Callout>
  )
}

const AlertCallout = ({ kind, title, since, details, advice, link, section }: OverviewAlert) => (
  <Callout kind={kind} heading={title}>
    <p>
      {since && (
        <>
          {since.text} <Timestamp at={since.at} />.{' '}
        </>
      )}
      {details}
    </p>
    <p>
      <strong>What to do:</strong> {advice} {link && <a href={link.href}>{link.text}</a>}
      {link && '. '}
      <TextWithLinks text={`See docs/runbook.md, “${section}”.`} />
    </p>
  </Callout>
)

/** The page shows these outcomes only if leads have them. */
const rareOutcomes: readonly string[] = ['do-not-contact', 'duplicate', 'erased']

function Today({ figures, compared }: Pick<Overview, 'figures' | 'compared'>) {
  const mayDo = useMayDo()
  const { zone } = useShell()
  const [day, ...earlier] = figures.days
  if (day === undefined) return null
  const { byStatus, retried, first } = figures
  const from = `from=${formatDay(day.date)}`
  const shown = leadOutcomes.filter(
    ([outcome]) =>
      (!isPersonalStatus(outcome) || mayDo('reveal a lead')) &&
      (!rareOutcomes.includes(outcome) || byStatus[outcome] > 0),
  )
  const usual = findMedian(compared.map(({ soFar }) => soFar))
  return (
    <>
      <p className={styles.sentence}>
        {formatNumber(day.soFar)} received so far.{' '}
        {usual !== undefined &&
          `At this time of day, the median of the last ${pluralize(compared.length, 'day')} is ${formatNumber(usual)}. `}
        {first.lead !== undefined &&
          compared.length < earlier.length &&
          `The first lead is from ${describeDay(toDay(first.lead, zone))}: earlier days can’t be compared. `}
        {retried > 0 && describeRetried(retried)}
      </p>
      <dl className={styles.figures}>
        <StatTile name="received" value={formatNumber(day.soFar)} href={`/leads?${from}`} isTotal />
        {shown.map(([outcome, name, query]) => (
          <StatTile
            key={outcome}
            name={name}
            value={formatNumber(byStatus[outcome])}
            href={`/leads?${query}&${from}`}
          />
        ))}
      </dl>
    </>
  )
}

function Figures({ range, figures, trend }: OverviewPageProps) {
  const { now, earlierLeads, earlierMeasures, missing } = figures
  const days = `from=${formatDay(range.range.first)}&to=${formatDay(range.range.last)}`
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Visits and leads</h2>
      <RangePicker {...range} />
      {missing && <p>{missing}</p>}
      <TrendChart trend={trend} range={range} before={earlierMeasures} />
      <LeadsByStatusTable now={now} earlier={earlierLeads} leadsQuery={days} />
    </section>
  )
}

const describeRetried = (count: number): string =>
  `${pluralize(count, 'lead counts', 'leads count')} twice: as rejected, and as waiting or failed after a retry.`

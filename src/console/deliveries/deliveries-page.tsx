import type { BreakerState } from '#domain/delivery/breaker.ts'
import { describeHold, restoredReason } from '#domain/delivery/hold.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { TextField } from '#ui/field.tsx'
import { inDoubtAddress } from '../leads/filter-form.tsx'
import figures from '../overview/figures.module.css'
import { ConsolePage, MissingRights, type Shell } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import { formatDuration, Moment } from '../shell/times.tsx'
import styles from './deliveries-page.module.css'
import { ErrorGroups } from './error-groups.tsx'
import { Figures } from './figures.tsx'
import { HoldHistory } from './hold-history.tsx'
import { formatCount, type ShownDeliveries } from './shown-deliveries.ts'

export interface DeliveriesPageProps {
  shell: Shell
  view: ShownDeliveries
  /** How an open breaker closes, in words. */
  hold: string | undefined
  range: string
  /** The values that can be chosen. */
  ranges: readonly string[]
  said?: Message | undefined
  /** The typed text, if it was refused. */
  reason?: string | undefined
  retryAt: (groupId: string) => string
}

/** Counts that others share are asked for again by a page that follows, in milliseconds. */
const askAgainIn = 2000

/** Whether deliveries run, the backlog, errors and results, and the form that pauses and resumes. */
export function DeliveriesPage(props: DeliveriesPageProps) {
  const { shell, view, hold, range, ranges, said, reason, retryAt } = props
  const role = shell.operator?.role ?? 'viewer'
  return (
    <ConsolePage shell={shell} name="Deliveries" message={said} isLive>
      <div className={styles.top}>
        <div>
          <div data-live-again={view.isOld ? askAgainIn : undefined}>
            <DeliveriesStanding view={view} hold={hold} />
          </div>
          <Waiting backlog={view.backlog} now={view.now} />
        </div>
        {isAllowed(role, 'pause deliveries') ? (
          <HoldForm
            token={shell.token}
            breaker={view.breaker}
            reason={reason}
            error={said?.fields?.reason}
          />
        ) : (
          <MissingRights shell={shell} of={['pause deliveries', 'retry deliveries']} />
        )}
      </div>
      <section aria-labelledby="wrong" data-live-rows="">
        <h2 id="wrong">Errors</h2>
        <p className={styles.hint}>
          Leads that wait after a failure, are dead or were rejected, grouped by response. Numbers,
          addresses and names in responses are replaced with “…”.
        </p>
        <ErrorGroups
          groups={view.groups}
          retryAt={isAllowed(role, 'retry deliveries') ? retryAt : undefined}
        />
      </section>
      <section aria-labelledby="came">
        <h2 id="came">Delivery results</h2>
        <nav className={styles.ranges} aria-label="Time range">
          {ranges.map((name) => (
            <a
              key={name}
              href={`/deliveries?range=${name}`}
              aria-current={name === range ? 'true' : undefined}
            >
              {name.replace('h', ' h').replace('d', ' d')}
            </a>
          ))}
        </nav>
        <Figures figures={view.figures} backlog={view.backlog} now={view.now} />
      </section>
      <section aria-labelledby="held" data-live-rows="">
        <h2 id="held">Pauses and outages</h2>
        <HoldHistory holds={view.holds} now={view.now} />
      </section>
    </ConsolePage>
  )
}

interface StandingProps {
  view: Pick<ShownDeliveries, 'breaker' | 'holds' | 'now'>
  /** Of an open breaker: how that ends, in words. */
  hold: string | undefined
}

/** Running, paused, or in outage: since when, why, by whom. */
export function DeliveriesStanding({ view, hold }: StandingProps) {
  const { breaker, holds, now } = view
  const { pause, trip } = breaker
  if (pause !== null) {
    const noted = holds.find(({ kind, isOpen }) => kind === 'pause' && isOpen)
    return (
      <Notice
        kind="note"
        heading={`Paused by ${noted?.begunBy ?? 'an operator'}${forHowLong(now - pause.since)}`}
      >
        <p>
          {pause.reason === '' ? 'No reason given' : `Reason: ${pause.reason}`}. Since{' '}
          <Moment at={pause.since} />. New leads are stored and wait. Resume sends them, oldest
          first.
        </p>
        {pause.reason === restoredReason && (
          <p>
            First settle the <a href={inDoubtAddress}>leads in doubt</a>. The distributor may have
            them already, and Resume would send them again.
          </p>
        )}
        {trip !== null && (
          <p>Before that {describeHold({ ...trip, kind: trip.cause, begunBy: null })}.</p>
        )}
      </Notice>
    )
  }
  if (trip !== null) {
    return (
      <Notice
        kind="problem"
        heading={`${trip.cause === 'outage' ? 'Outage' : 'Refused'}${forHowLong(now - trip.since)}: ${describeHold({ ...trip, kind: trip.cause, begunBy: null })}`}
      >
        <p>
          Since <Moment at={trip.since} />. {hold}
        </p>
      </Notice>
    )
  }
  const last = holds.find(({ until }) => until !== null)
  return (
    <Notice kind="well" heading="Deliveries are running">
      {last?.until ? (
        <p>
          The last pause or outage ended <Moment at={last.until} />.
        </p>
      ) : (
        <p>No pause or outage so far.</p>
      )}
    </Notice>
  )
}

const forHowLong = (ms: number): string => (ms < 1000 ? '' : ` for ${formatDuration(ms)}`)

/** The backlog in three figures, each the way to what it counts. */
export function Waiting({ backlog, now }: { backlog: ShownDeliveries['backlog']; now: number }) {
  const { waiting, due, oldest } = backlog
  const list = '/leads?status=pending&status=leased'
  return (
    <dl className={styles.figures}>
      <Figure name="waiting" figure={formatCount(waiting)} href={list} />
      <Figure name="due now" figure={formatCount(due)} href={list} />
      <Figure
        name="oldest"
        figure={oldest === undefined ? '–' : formatDuration(now - oldest.receivedAt)}
        href={oldest === undefined ? list : `/leads/${oldest.id}`}
      />
    </dl>
  )
}

const Figure = ({ name, figure, href }: { name: string; figure: string; href: string }) => (
  <div className={figures.figure}>
    <dt>
      <a href={href}>{name}</a>
    </dt>
    <dd>{figure}</dd>
  </div>
)

export interface HoldFormProps {
  token: string
  breaker: BreakerState
  /** The typed text, if it was refused. */
  reason?: string | undefined
  error?: string | undefined
}

/** The heading of the form: its field says only *Reason*. */
function whatItIsFor({ pause, trip }: BreakerState): string {
  if (pause !== null) return 'Resume deliveries'
  return trip === null ? 'Pause deliveries' : 'Pause or resume deliveries'
}

/** Running deliveries can be paused; paused ones and those in an outage can be resumed. */
export function HoldForm({ token, breaker, reason = '', error }: HoldFormProps) {
  const isHeld = breaker.pause !== null || breaker.trip !== null
  return (
    <PostForm
      className={styles.hold}
      action="/deliveries/pause"
      token={token}
      aria-label="Pause and resume deliveries"
    >
      <h2>{whatItIsFor(breaker)}</h2>
      <TextField
        name="reason"
        label="Reason"
        required={false}
        type="text"
        autoComplete="off"
        hint="Optional. Saved permanently; don’t include names."
        error={error}
        value={reason}
      />
      <div className={controls.row}>
        {breaker.pause === null && (
          <button className={isHeld ? controls.button : controls.primary} type="submit">
            Pause
          </button>
        )}
        {isHeld && (
          <button className={controls.primary} type="submit" formAction="/deliveries/resume">
            Resume
          </button>
        )}
      </div>
    </PostForm>
  )
}

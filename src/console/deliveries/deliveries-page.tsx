import { type BreakerState, describeBreaker, restorePauseReason } from '#domain/delivery/breaker.ts'
import type { DeliveriesView, DeliveryBacklogCounts } from '#domain/delivery/deliveries-view.ts'
import { refreshInterval } from '../overview/overview-page.tsx'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import controls from '../shell/controls.module.css'
import { Figure } from '../shell/figure.tsx'
import figures from '../shell/figures.module.css'
import { PostForm, ReasonField, SubmitButton } from '../shell/forms.tsx'
import { inDoubtLeadsUrl } from '../shell/lead-link.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import { formatDuration, Timestamp } from '../shell/times.tsx'
import styles from './deliveries-page.module.css'
import { ErrorGroups, formatCount } from './error-groups.tsx'
import { AttemptChart } from './figures.tsx'

export interface DeliveriesPageProps {
  shell: ConsoleShell
  view: DeliveriesView
  message?: Message | undefined
  /** The reason that the operator typed, if the server refused the form. */
  reason?: string | undefined
}

export function DeliveriesPage(props: DeliveriesPageProps) {
  const { shell, view, message, reason } = props
  return (
    <ConsolePage shell={shell} name="Deliveries" message={message} isLive>
      <div className={styles.top}>
        <div>
          <div data-live-again={refreshInterval}>
            <DeliveriesStatus view={view} />
          </div>
          <BacklogFigures backlog={view.backlog} now={view.now} />
        </div>
        {isActionAllowed(shell, 'pause deliveries') && (
          <PauseForm
            token={shell.token}
            breaker={view.breaker}
            reason={reason}
            error={message?.fields?.reason}
          />
        )}
      </div>
      <section aria-labelledby="wrong" data-live-rows="">
        <h2 id="wrong">Errors</h2>
        <p className={styles.hint}>
          Failed and rejected leads, and leads that wait after a failed attempt, grouped by
          response. Numbers, addresses and names in responses are replaced with “…”.
        </p>
        <ErrorGroups groups={view.groups} mayRetry={isActionAllowed(shell, 'retry deliveries')} />
      </section>
      <section aria-labelledby="came">
        <h2 id="came">Delivery results</h2>
        <AttemptChart figures={view.figures} />
      </section>
    </ConsolePage>
  )
}

export function DeliveriesStatus({ view }: { view: Pick<DeliveriesView, 'breaker' | 'now'> }) {
  const { pause, trip } = view.breaker
  const held = pause ?? trip
  if (held === null) return <Notice kind="well" heading="Deliveries are running" />
  const what = trip === null ? 'Paused' : trip.cause === 'outage' ? 'Outage' : 'Refused'
  return (
    <Notice
      kind={trip === null ? 'note' : 'problem'}
      heading={`${what} for ${formatDuration(view.now - held.since)}`}
    >
      <p>
        Since <Timestamp at={held.since} />: {describeBreaker(view.breaker, () => '')}
      </p>
      {pause?.reason === restorePauseReason && (
        <p>
          First settle the <a href={inDoubtLeadsUrl}>leads in doubt</a>. The distributor may have
          them already, and Resume would send them again.
        </p>
      )}
    </Notice>
  )
}

/** Shows the backlog in figures with links to their leads. */
export function BacklogFigures({ backlog, now }: { backlog: DeliveryBacklogCounts; now: number }) {
  const { waiting, due, held, oldest } = backlog
  const list = '/leads?status=pending&status=leased'
  const age = oldest && formatDuration(now - oldest.receivedAt)
  return (
    <dl className={figures.figures}>
      <Figure name="waiting" figure={formatCount(waiting)} href={list} />
      <Figure name="due now" figure={formatCount(due)} />
      {held > 0 && (
        <Figure name="held" figure={held.toLocaleString('en-US')} href="/leads?held=any" />
      )}
      <Figure
        name={held > 0 ? 'oldest not held' : 'oldest'}
        figure={age ?? '–'}
        href={oldest ? `/leads/${oldest.id}` : list}
      />
    </dl>
  )
}

interface PauseFormProps {
  token: string
  breaker: BreakerState
  reason: string | undefined
  error: string | undefined
}

function PauseForm({ token, breaker: { pause, trip }, reason, error }: PauseFormProps) {
  const isHeld = pause !== null || trip !== null
  return (
    <PostForm
      className={styles.hold}
      action="/deliveries/pause"
      token={token}
      aria-label="Pause and resume deliveries"
    >
      <h2>Pause or resume deliveries</h2>
      <ReasonField value={reason} error={error} />
      <div className={controls.row}>
        {pause === null && <SubmitButton look={isHeld ? 'button' : 'primary'}>Pause</SubmitButton>}
        {isHeld && (
          <SubmitButton look="primary" formAction="/deliveries/resume">
            Resume
          </SubmitButton>
        )}
      </div>
    </PostForm>
  )
}

import { isAllowed } from '#domain/operator/rights.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { MissingRights } from '../shell/missing-rights.tsx'
import type { Message } from '../shell/page-message.tsx'
import styles from './deliveries-page.module.css'
import { ErrorGroups } from './error-groups.tsx'
import { Figures } from './figures.tsx'
import { HoldForm } from './hold-form.tsx'
import { HoldHistory } from './hold-history.tsx'
import type { ShownDeliveries } from './shown-deliveries.ts'
import { DeliveriesStanding } from './standing.tsx'
import { Waiting } from './waiting.tsx'

export interface DeliveriesPageProps {
  shell: Shell
  view: ShownDeliveries
  /** Of an open breaker: how that ends, in words. */
  hold: string | undefined
  range: string
  /** Those that can be chosen. */
  ranges: readonly string[]
  said?: Message | undefined
  /** As typed, where it was refused. */
  reason?: string | undefined
  retryAt: (groupId: string) => string
}

/** Counts that others share are asked for again by a page that follows, in milliseconds. */
const askAgainIn = 2000

/** Whether leads go out, what waits, what came back, and the way to stop and go on. */
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
        <h2 id="wrong">What went wrong</h2>
        <p className={styles.hint}>
          All that waits after a failure, is dead or was rejected, by what the distributor said.
          Numbers, addresses and names in it are “…”.
        </p>
        <ErrorGroups
          groups={view.groups}
          retryAt={isAllowed(role, 'retry deliveries') ? retryAt : undefined}
        />
      </section>
      <section aria-labelledby="came">
        <h2 id="came">What came of deliveries</h2>
        <nav className={styles.ranges} aria-label="How far back">
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
        <h2 id="held">What held deliveries back</h2>
        <HoldHistory holds={view.holds} now={view.now} />
      </section>
    </ConsolePage>
  )
}

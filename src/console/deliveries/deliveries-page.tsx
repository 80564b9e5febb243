import { isAllowed } from '#domain/operator/rights.ts'
import { ConsolePage, type Shell } from '../shell/console-page.tsx'
import { MissingRights } from '../shell/missing-rights.tsx'
import { Notice } from '../shell/notice.tsx'
import { Said, type SaidOfAct } from '../shell/said.tsx'
import styles from './deliveries-page.module.css'
import { ErrorGroups } from './error-groups.tsx'
import { Figures } from './figures.tsx'
import { HoldForm, type HoldFormProps } from './hold-form.tsx'
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
  /** What in the address cannot be followed. */
  problem?: string | undefined
  /** What an act came to that led to here. */
  said?: SaidOfAct | undefined
  /** What was typed and not taken, and why. */
  form?: Pick<HoldFormProps, 'reason' | 'error'>
  retryAt: (groupId: string) => string
}

/** Counts that others share are asked for again by a page that follows, in milliseconds. */
const askAgainIn = 2000

/** Whether leads go out, what waits, what came back, and the way to stop and go on. */
export function DeliveriesPage(props: DeliveriesPageProps) {
  const { shell, view, hold, range, ranges, problem, said, form, retryAt } = props
  const role = shell.operator?.role ?? 'viewer'
  return (
    <ConsolePage shell={shell} name="Deliveries" follows={['leads', 'deliveries']}>
      {said && <Said said={said} />}
      {problem !== undefined && <Notice kind="problem" heading={problem} />}
      <div className={styles.top}>
        <div>
          <div data-live="standing" data-live-again={view.isOld ? askAgainIn : undefined}>
            <DeliveriesStanding view={view} hold={hold} />
          </div>
          <div data-live="waiting">
            <Waiting backlog={view.backlog} now={view.now} />
          </div>
        </div>
        {isAllowed(role, 'pause deliveries') ? (
          <div data-live="hold">
            <HoldForm token={shell.token} breaker={view.breaker} {...form} />
          </div>
        ) : (
          <MissingRights shell={shell} of={['pause deliveries', 'retry deliveries']} />
        )}
      </div>
      <section aria-labelledby="wrong" data-live="wrong" data-live-kind="rows">
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
      <section aria-labelledby="came" data-live="came">
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
      <section aria-labelledby="held" data-live="held" data-live-kind="rows">
        <h2 id="held">What held deliveries back</h2>
        <HoldHistory holds={view.holds} now={view.now} />
      </section>
    </ConsolePage>
  )
}

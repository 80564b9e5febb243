import { holdInWords } from '#domain/delivery/hold.ts'
import { restoredReason } from '#domain/delivery/restored-reason.ts'
import { inDoubtAddress } from '../leads/in-doubt-address.ts'
import { durationInWords } from '../shell/duration-in-words.ts'
import { Moment } from '../shell/moment.tsx'
import { Notice } from '../shell/notice.tsx'
import type { ShownDeliveries } from './shown-deliveries.ts'

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
          {pause.reason === '' ? 'No reason is given' : `Reason: ${pause.reason}`}. Since{' '}
          <Moment at={pause.since} />. Leads are accepted and wait: Resume sends them, the oldest
          first.
        </p>
        {pause.reason === restoredReason && (
          <p>
            First <a href={inDoubtAddress}>look at the leads in doubt</a>, if any are left: the
            distributor may have them, and Resume sends them again.
          </p>
        )}
        {trip !== null && (
          <p>Before that {holdInWords({ ...trip, kind: trip.cause, begunBy: null })}.</p>
        )}
      </Notice>
    )
  }
  if (trip !== null) {
    return (
      <Notice
        kind="problem"
        heading={`${trip.cause === 'outage' ? 'In outage' : 'Refused'}${forHowLong(now - trip.since)}: ${holdInWords({ ...trip, kind: trip.cause, begunBy: null })}`}
      >
        <p>
          Since <Moment at={trip.since} />. {hold}
        </p>
      </Notice>
    )
  }
  const last = holds.find(({ until }) => until !== null)
  return (
    <Notice kind="well" heading="Running">
      {last?.until ? (
        <p>
          Nothing has held deliveries back since <Moment at={last.until} />.
        </p>
      ) : (
        <p>Nothing holds deliveries back.</p>
      )}
    </Notice>
  )
}

const forHowLong = (ms: number): string => (ms < 1000 ? '' : ` for ${durationInWords(ms)}`)

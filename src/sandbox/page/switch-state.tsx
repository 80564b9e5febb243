import type { SwitchedFault } from '../answers/switches.ts'
import type { Service } from '../services/services.ts'

/** What a service answers now, in a sentence. */
export function SwitchState({
  service,
  now,
}: {
  readonly service: Service
  readonly now: SwitchedFault | undefined
}) {
  return (
    <p id={switchStateId(service)} className="state" data-tone={now ? 'bad' : 'good'}>
      {now ? `${now.fault.about}, for ${howLong(now)}` : 'answers normally'}
    </p>
  )
}

export const switchStateId = (service: Service): string => `state-${service}`

function howLong({ callsLeft }: SwitchedFault): string {
  if (callsLeft === Infinity) return 'every call until you switch back'
  return callsLeft === 1 ? 'the next call' : `the next ${callsLeft} calls`
}

import { faultsOf, type SwitchedFault } from '../answers/switches.ts'
import { type Service, serviceNames } from '../services/services.ts'
import { SwitchState } from './switch-state.tsx'

const callCounts = [1, 2, 3, 5, 10, 20]

/** Lets a person say what a service answers from now on. A plain form: it needs no JavaScript. */
export function SwitchForm({
  service,
  now,
}: {
  readonly service: Service
  readonly now: SwitchedFault | undefined
}) {
  return (
    <form method="post" action="/answers" aria-label={`Answers: ${serviceNames[service]}`}>
      {/* Named by id: within closed details its legend is not rendered. */}
      <fieldset aria-labelledby={`play-${service}`}>
        <legend id={`play-${service}`}>{serviceNames[service]}</legend>
        <SwitchState service={service} now={now} />
        <input type="hidden" name="service" value={service} />
        <label>
          Answer from now on
          <select name="answer" defaultValue={now?.fault.name ?? ''}>
            <option value="">normally</option>
            {faultsOf[service].map(({ name, about }) => (
              <option key={name} value={name}>
                {about}
              </option>
            ))}
          </select>
        </label>
        <label>
          How long
          <select name="calls">
            <option value="">every call until you switch back</option>
            {callCounts.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? 'the next call' : `the next ${count} calls`}
              </option>
            ))}
          </select>
        </label>
        <p className="buttons">
          <button type="submit">Switch</button>
          <button type="submit" name="normally" value="1" className="second">
            Back to normal
          </button>
        </p>
      </fieldset>
    </form>
  )
}

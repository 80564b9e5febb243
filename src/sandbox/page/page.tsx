import type { ReactNode } from 'react'
import { type Service, serviceNames, services } from '../faults.ts'
import { type GuideRow, lastNames, lookupInputs, otherInputs, routes } from '../guide.ts'
import { faultsOf, type SwitchedFault } from '../switches.ts'
import {
  CallRows,
  Counts,
  callRowId,
  LeadRows,
  leadRowId,
  markup,
  mostRows,
  type SandboxState,
  SwitchState,
} from './rows.tsx'

/** Says what to type and what then happens. */
export function GuideTable({
  caption,
  head,
  rows,
}: {
  readonly caption: ReactNode
  readonly head: GuideRow
  readonly rows: readonly GuideRow[]
}) {
  return (
    <table className="guide">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{head[0]}</th>
          <th scope="col">{head[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([input, effect]) => (
          <tr key={input}>
            <th scope="row">{input}</th>
            <td>{effect}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const callCounts = [1, 2, 3, 5, 10, 20]

/** Switches a service to a fault. A plain form, so it works without JavaScript. */
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
          Answer with
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

/** The sandbox's own page, whole, as HTML. */
export const page = (state: SandboxState): string => `<!doctype html>${markup(<Page {...state} />)}`

const Page = (state: SandboxState) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>Sandbox</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/page.css" />
      <script src="/live.js" defer />
    </head>
    <body>
      <header>
        <h1>Sandbox</h1>
        <p>It plays every third party of the product. Nothing leaves this machine.</p>
        <p className="live" id="live">
          <noscript>Without JavaScript: </noscript>
          <a href="/">Reload to see what is new</a>
        </p>
        <p role="status" id="news" className="visually-hidden" />
      </header>
      <main>
        <Switchboard {...state} />
        <div className="received">
          <Leads {...state} />
          <Calls {...state} />
        </div>
        <Guide />
      </main>
    </body>
  </html>
)

const Switchboard = ({ switches }: SandboxState) => {
  const [distributor, ...lookups] = services
  const isOpen = lookups.some((service) => switches.now(service) !== undefined)
  return (
    <section className="switches" aria-labelledby="play">
      <h2 id="play">Play a third party</h2>
      <p className="quiet">
        Make it fail, send an enquiry and watch the attempts. Then switch back, and the waiting
        leads arrive.
      </p>
      <SwitchForm service={distributor} now={switches.now(distributor)} />
      <details open={isOpen}>
        <summary>The lookups</summary>
        {lookups.map((service) => (
          <SwitchForm key={service} service={service} now={switches.now(service)} />
        ))}
      </details>
    </section>
  )
}

const Leads = ({ ledger }: SandboxState) => (
  <section aria-labelledby="leads-title">
    <h2 id="leads-title">Leads received</h2>
    <Counts ledger={ledger} />
    <table id="leads" className="rows">
      <caption>
        The last {mostRows}, newest first. <a href="/ledger">All of them as JSON</a>
      </caption>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Lead</th>
          <th scope="col">Attempt</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      {ledger.latest(mostRows).map((entry) => (
        <LeadRows key={leadRowId(entry)} entry={entry} />
      ))}
    </table>
    <form method="post" action="/forget" aria-label="Clear the lists">
      <button type="submit" className="second">
        Clear leads and calls
      </button>
    </form>
  </section>
)

const Calls = ({ calls }: SandboxState) => (
  <section aria-labelledby="calls-title">
    <h2 id="calls-title">Other calls</h2>
    <table id="calls" className="rows">
      <caption>Lookups, and calls to the distributor without a lead</caption>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col">Asked</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      {calls.latest(mostRows).map((call) => (
        <CallRows key={callRowId(call)} call={call} />
      ))}
    </table>
  </section>
)

const Guide = () => (
  <section className="guides" aria-labelledby="guide-title">
    <h2 id="guide-title">Or cause a fault by what you type</h2>
    <div className="columns">
      <GuideTable
        caption="Last names that cause a fault of the distributor"
        head={['Last name', 'Answer']}
        rows={lastNames}
      />
      <GuideTable
        caption="A ZIP affects both Google services, a word in the street Address Validation, a visitor’s address IP geolocation"
        head={['ZIP, street, address', 'Answer']}
        rows={lookupInputs}
      />
      <GuideTable caption="Other inputs" head={['Input', 'What happens']} rows={otherInputs} />
      <GuideTable caption="Routes" head={['Route', 'Stands in for']} rows={routes} />
    </div>
  </section>
)

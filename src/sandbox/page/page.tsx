import { lastNames, lookupInputs, otherInputs, routes } from '../guide.ts'
import { services } from '../services/services.ts'
import { CallRows, callRowId } from './call-rows.tsx'
import { Counts } from './counts.tsx'
import { GuideTable } from './guide-table.tsx'
import { LeadRows, leadRowId } from './lead-rows.tsx'
import { markup } from './markup.ts'
import { mostRows, type SandboxState } from './sandbox-state.ts'
import { SwitchForm } from './switch-form.tsx'

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
        Let it fail, send an enquiry, watch the tries come in; then switch back and see what waited
        arrive.
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
        The last {mostRows}, the newest first. <a href="/ledger">All of them as JSON</a>
      </caption>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Lead</th>
          <th scope="col">Try</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      {ledger.latest(mostRows).map((entry) => (
        <LeadRows key={leadRowId(entry)} entry={entry} />
      ))}
    </table>
    <form method="post" action="/forget" aria-label="Begin anew">
      <button type="submit" className="second">
        Forget leads and calls
      </button>
    </form>
  </section>
)

const Calls = ({ calls }: SandboxState) => (
  <section aria-labelledby="calls-title">
    <h2 id="calls-title">Other calls</h2>
    <table id="calls" className="rows">
      <caption>Lookups, and calls to the distributor that brought no lead</caption>
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
    <h2 id="guide-title">Or ask for a fault by what you type</h2>
    <div className="columns">
      <GuideTable
        caption="Last names that ask the distributor for a fault"
        head={['Last name', 'Answer']}
        rows={lastNames}
      />
      <GuideTable
        caption="A ZIP fails both Google services, a word in the street Address Validation, a visitor’s address IP geolocation"
        head={['ZIP, street, address', 'Answer']}
        rows={lookupInputs}
      />
      <GuideTable caption="Other inputs" head={['Input', 'What happens']} rows={otherInputs} />
      <GuideTable caption="Routes" head={['Route', 'Stands in for']} rows={routes} />
    </div>
  </section>
)

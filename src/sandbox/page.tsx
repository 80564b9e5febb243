import { renderToStaticMarkup } from 'react-dom/server'
import { escapeInvisibleInLines } from '#domain/text/plain-line.ts'
import {
  faultsByService,
  type SandboxFault,
  type SandboxService,
  sandboxServices,
  serviceNames,
} from './faults.ts'
import { type LeadLedger, readLeadName } from './lead-ledger.ts'

interface SandboxState {
  readonly ledger: LeadLedger
  /** The faults that somebody has chosen on the sandbox's page, by service. */
  readonly switches: Map<SandboxService, SandboxFault>
}

const maxRows = 50

/** Renders the page. Invisible characters are escaped, so that a visitor's text cannot hide or reverse other text. */
export const renderSandboxPage = (state: SandboxState): string =>
  `<!doctype html>${escapeInvisibleInLines(renderToStaticMarkup(<Page {...state} />))}`

const Page = ({ ledger, switches }: SandboxState) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>Sandbox</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/page.css" />
    </head>
    <body>
      <header>
        <h1>Sandbox</h1>
        <p>The sandbox stands in for every third party. Nothing leaves this machine.</p>
      </header>
      <main>
        <section aria-labelledby="switches">
          <h2 id="switches">Make a third party fail</h2>
          <p>Choose an answer, send an enquiry and watch the attempts. Then switch back.</p>
          {sandboxServices.map((service) => (
            <SwitchForm key={service} service={service} now={switches.get(service)} />
          ))}
        </section>
        <LeadTable ledger={ledger} />
        <Notifications />
      </main>
    </body>
  </html>
)

interface SwitchFormProps {
  readonly service: SandboxService
  readonly now: SandboxFault | undefined
}

const SwitchForm = ({ service, now }: SwitchFormProps) => (
  <form method="post" action="/answers" aria-label={`Answers: ${serviceNames[service]}`}>
    <fieldset>
      <legend>{serviceNames[service]}</legend>
      <p className="state" data-tone={now ? 'bad' : 'good'}>
        {now ? `${now.description}, for every call until you switch back` : 'answers normally'}
      </p>
      <input type="hidden" name="service" value={service} />
      <label>
        Answer with
        <select name="answer" defaultValue={now?.name ?? ''}>
          <option value="">normally</option>
          {faultsByService[service].map(({ name, description }) => (
            <option key={name} value={name}>
              {description}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Switch</button>
    </fieldset>
  </form>
)

const LeadTable = ({ ledger }: Pick<SandboxState, 'ledger'>) => (
  <section aria-labelledby="leads">
    <h2 id="leads">Leads received</h2>
    <p>
      <a href="/">Reload to see new leads</a>
    </p>
    <table>
      <caption>
        The last {maxRows} leads, newest first. <a href="/ledger">All leads as JSON</a>
      </caption>
      <thead>
        <tr>
          <th scope="col">Lead</th>
          <th scope="col">Attempt</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      <tbody>
        {ledger
          .entries(maxRows)
          .reverse()
          .map(({ number, attempt, answered, headers, raw, body }) => (
            <tr key={number}>
              <th scope="row">{`${readLeadName(body, 'firstname')} ${readLeadName(body, 'lastname')}`}</th>
              <td>{attempt}</td>
              <td>
                {answered.status === null ? 'no reply' : `HTTP ${answered.status}`}
                <details>
                  <summary>Arrival {number} as received</summary>
                  <pre>{JSON.stringify({ headers, body: body ?? raw }, null, 2)}</pre>
                </details>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  </section>
)

const Notifications = () => (
  <section aria-labelledby="notifications">
    <h2 id="notifications">Notifications received</h2>
    <p>
      The sandbox plays an affiliate at <code>/affiliate/postback</code> and a CRM at{' '}
      <code>/crm</code>. <a href="/notifications">All calls as JSON</a>
    </p>
  </section>
)

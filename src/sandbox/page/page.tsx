import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'
import {
  faultsOf,
  inputFaults,
  lastNameFaults,
  type Service,
  type Switch,
  type Switches,
  serviceNames,
  services,
} from '../faults.ts'
import {
  type Answered,
  type CallList,
  type Ledger,
  type LedgerEntry,
  nameOf,
  parseJson,
} from '../ledger.ts'

export interface SandboxState {
  readonly ledger: Ledger
  readonly calls: CallList
  readonly switches: Switches
}

/** The most rows of each table. `GET /ledger` has the whole ledger. */
const maxRows = 50

/** Renders the page as HTML. Invisible characters are escaped, so that a visitor's text cannot hide or reverse other text. */
export const page = (state: SandboxState): string =>
  `<!doctype html>${escapeInvisibleInLines(renderToStaticMarkup(<Page {...state} />))}`

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
          <a href="/">Reload to see new calls</a>
        </p>
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
  const [distributor, ...lookups] = services.map((service) => (
    <SwitchForm key={service} service={service} now={switches.get(service)} />
  ))
  const isOpen = [...switches.keys()].some((service) => service !== 'distributor')
  return (
    <section className="switches" aria-labelledby="play">
      <h2 id="play">Play a third party</h2>
      <p className="quiet">
        Make it fail, send an enquiry and watch the attempts. Then switch back, and the waiting
        leads arrive.
      </p>
      {distributor}
      <details open={isOpen}>
        <summary>The lookups</summary>
        {lookups}
      </details>
    </section>
  )
}

interface SwitchFormProps {
  readonly service: Service
  readonly now: Switch | undefined
}

const callCounts = [1, 2, 3, 5, 10, 20, Infinity]

const howLong = (calls: number): string => {
  if (calls === Infinity) return 'every call until you switch back'
  return calls === 1 ? 'the next call' : `the next ${calls} calls`
}

/** Switches a service to a fault. The form works without JavaScript. */
const SwitchForm = ({ service, now }: SwitchFormProps) => (
  <form method="post" action="/answers" aria-label={`Answers: ${serviceNames[service]}`}>
    {/* The fieldset is named by id, because browsers don't render its legend inside closed details. */}
    <fieldset aria-labelledby={`play-${service}`}>
      <legend id={`play-${service}`}>{serviceNames[service]}</legend>
      <p id={`state-${service}`} className="state" data-live data-tone={now ? 'bad' : 'good'}>
        {now ? `${now.fault.about}, for ${howLong(now.callsLeft)}` : 'answers normally'}
      </p>
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
        <select name="calls" defaultValue="">
          {callCounts.map((count) => (
            <option key={count} value={count === Infinity ? '' : count}>
              {howLong(count)}
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

const Leads = ({ ledger }: SandboxState) => {
  const { arrivals, leads } = ledger.counts()
  return (
    <section id="leads" aria-labelledby="leads-title" data-live>
      <h2 id="leads-title">Leads received</h2>
      <p className="counts" role="status">
        {arrivals === 0
          ? 'No leads yet. Fill in the form on the site to send one.'
          : `${counted(arrivals, 'arrival')} of ${counted(leads, 'lead')}, ${
              arrivals === leads ? 'none sent twice' : counted(arrivals - leads, 'repeat')
            }`}
      </p>
      <table className="rows">
        <caption>
          The last {maxRows}, newest first. <a href="/ledger">All of them as JSON</a>
        </caption>
        <Head columns={['No.', 'Lead', 'Attempt', 'Answer']} />
        {ledger.latest(maxRows).map((entry) => (
          <LeadRows key={entry.number} entry={entry} />
        ))}
      </table>
      <form method="post" action="/forget" aria-label="Clear the lists">
        <button type="submit" className="second">
          Clear leads and calls
        </button>
      </form>
    </section>
  )
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

const Head = ({ columns }: { readonly columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
)

/** Shows an arrival with its reply, and the received request in folded details. */
function LeadRows({ entry }: { readonly entry: LedgerEntry }) {
  const { number, receivedAt, attempt, answered, idempotencyKey, headers, raw, body } = entry
  const times = entry.countForLead === 1 ? 'once' : `${entry.countForLead} times`
  const json = parseJson(raw)
  const facts = {
    'Idempotency-Key': `${idempotencyKey ?? 'none'}, received ${times}`,
    ...(answered.fault && { Fault: `${answered.fault}, asked for by the ${answered.askedBy}` }),
    Answer: answered.body ?? 'none: the connection was reset, or nothing was sent',
    Headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    // The page indents the JSON; `GET /ledger` has the body byte for byte.
    Body: json === undefined ? raw : JSON.stringify(json, null, 2),
  }
  return (
    <tbody id={`lead-${number}`}>
      <tr>
        <td className="number">{number}</td>
        <th scope="row">
          {`${nameOf(body, 'firstname')} ${nameOf(body, 'lastname')}`.trim() || 'unreadable'}
          <Moment at={receivedAt} />
        </th>
        <td className="number">{attempt}</td>
        <td>
          <Badge {...answered} />
        </td>
      </tr>
      <tr className="more">
        <td colSpan={4}>
          <details>
            <summary>
              As received<span className="visually-hidden">: arrival {number}</span>
            </summary>
            <dl>
              {Object.entries(facts).map(([name, value]) => (
                <Fact key={name} name={name} value={value} />
              ))}
            </dl>
          </details>
        </td>
      </tr>
    </tbody>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <pre>{value}</pre>
    </dd>
  </>
)

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hour12: false })

/** Shows a time of day in this machine's time zone. */
const Moment = ({ at }: { readonly at: number }) => (
  <span className="quiet">
    <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
  </span>
)

/**
 * Describes a reply in a table's cell: the verdict of the distributor or Geocoding, the HTTP status, or that there was
 * no reply.
 */
export function describeAnswer({ status, body }: Answered) {
  const bad = (words: string) => ({ words, tone: 'bad' })
  if (status === null) return bad('no reply')
  if (status !== 200) return bad(`HTTP ${status}`)
  const value = parseJson(body ?? '')
  if (typeof value !== 'object' || value === null) return bad('HTTP 200, unreadable')
  if (!('status' in value)) return { words: 'HTTP 200', tone: 'good' }
  const verdict = String(value.status)
  return /^(success|OK)$/.test(verdict) ? { words: verdict, tone: 'good' } : bad(verdict)
}

const Badge = (answered: Answered) => {
  const { words, tone } = describeAnswer(answered)
  return (
    <span className="badge" data-tone={tone}>
      {words}
    </span>
  )
}

const Calls = ({ calls }: SandboxState) => (
  <section id="calls" aria-labelledby="calls-title" data-live>
    <h2 id="calls-title">Other calls</h2>
    <table className="rows">
      <caption>Lookups, and calls to the distributor without a lead</caption>
      <Head columns={['Service', 'Asked', 'Answer']} />
      <tbody>
        {calls.latest(maxRows).map(({ number, service, receivedAt, asked, answered }) => (
          <tr key={number} id={`call-${number}`}>
            <th scope="row">
              {serviceNames[service]}
              <Moment at={receivedAt} />
            </th>
            <td className="asked">{asked}</td>
            <td>
              <Badge {...answered} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

type GuideRow = readonly [input: string, effect: string]

const lastNameRows = lastNameFaults.map<GuideRow>(({ name, about }) => [`Sandbox-${name}`, about])

const lookupRows = inputFaults.map<GuideRow>(({ name, about, zip, ip }) => [
  `${zip}, Sandbox-${name}, ${ip}`,
  about,
])

const otherRows: readonly GuideRow[] = [
  ['ZIP 00000', 'no such ZIP'],
  ['ZIP 99999', 'over the quota'],
  ['ZIP 99998', 'the key is refused'],
  ['ZIP 99997', 'both Google services answer HTTP 503'],
  ['a street with the word FIX', 'the address is not found'],
  ['a street with the word CONFIRM', 'found, with parts unconfirmed'],
  ['a street with the word REPLACE', 'found, with a part corrected: the form offers it'],
  ['a street with the word NOUNIT', 'found, without its unit: the form asks for it'],
  ['a street with the word UNKNOWN', 'not made out: the form asks whether it is right'],
  ['123 Main St, ZIP 34236', 'found, with ZIP+4 34236-5610'],
  ['API key Sandbox-Invalid-Key', 'both Google services refuse the key'],
  ['an address in 192.0.2.0/24', 'the IP service says "Not found"'],
]

/** The inputs that the page's guide names. The README names these inputs, too. */
export const guideInputs = [...lastNameRows, ...lookupRows, ...otherRows].map(([input]) => input)

const guides = [
  ['Last names that cause a fault of the distributor', 'Last name', lastNameRows],
  [
    'A ZIP affects both Google services, a word in the street Address Validation, a visitor’s address IP geolocation',
    'ZIP, street, address',
    lookupRows,
  ],
  ['Other inputs', 'Input', otherRows],
] as const

const Guide = () => (
  <section className="guides" aria-labelledby="guide-title">
    <h2 id="guide-title">Or cause a fault by what you type</h2>
    <div className="columns">
      {guides.map(([caption, input, rows]) => (
        <table key={caption} className="guide">
          <caption>{caption}</caption>
          <Head columns={[input, 'Answer']} />
          <tbody>
            {rows.map(([given, effect]) => (
              <tr key={given}>
                <th scope="row">{given}</th>
                <td>{effect}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  </section>
)

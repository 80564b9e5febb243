import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'
import { parseJson } from '#server/platform/call/call.ts'
import type { CallList, ReceivedCall } from '../calls.ts'
import { type Service, serviceNames } from '../faults.ts'
import type { Ledger, LedgerEntry } from '../ledger.ts'
import type { SwitchedFault, Switches } from '../switches.ts'

/** The state that the page shows. */
export interface SandboxState {
  readonly ledger: Ledger
  readonly calls: CallList
  readonly switches: Switches
}

/** Rows of each table. `GET /ledger` has the whole ledger. */
export const mostRows = 50

/** HTML with invisible characters escaped, so that nothing a visitor typed can hide or reverse text. */
export const markup = (node: ReactNode): string =>
  escapeInvisibleInLines(renderToStaticMarkup(node))

export interface DescribedAnswer {
  readonly words: string
  readonly tone: 'good' | 'bad'
}

/** The answer in a table's cell: the distributor's verdict, the HTTP status, or none. */
export function describeAnswer({
  status,
  body,
}: {
  readonly status: number | null
  readonly body: string | null
}): DescribedAnswer {
  if (status === null) return { words: 'no reply', tone: 'bad' }
  if (status !== 200) return { words: `HTTP ${status}`, tone: 'bad' }
  const verdict = verdictIn(body ?? '')
  if (verdict === undefined) return { words: 'HTTP 200, unreadable', tone: 'bad' }
  return { words: verdict || 'HTTP 200', tone: /^(|success|OK)$/.test(verdict) ? 'good' : 'bad' }
}

/** A distributor's and Geocoding's `status`; empty if the reply has none, undefined if it is no JSON object. */
function verdictIn(body: string): string | undefined {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null) return undefined
  return 'status' in value ? String(value.status) : ''
}

/** The answer, as a colored label. */
export function Badge(answer: Parameters<typeof describeAnswer>[0]) {
  const { words, tone }: DescribedAnswer = describeAnswer(answer)
  return (
    <span className="badge" data-tone={tone}>
      {words}
    </span>
  )
}

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hour12: false })

/** A time of day on this machine's clock. */
export const Moment = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
)

/** Counts arrivals and repeats. */
export function Counts({ ledger }: { readonly ledger: Ledger }) {
  const { arrivals, leads } = ledger.counts()
  return (
    <p id={countsId} className="counts">
      {arrivals === 0
        ? 'No leads yet. Fill in the form on the site to send one.'
        : `${counted(arrivals, 'arrival')} of ${counted(leads, 'lead')}${again(arrivals - leads)}`}
    </p>
  )
}

export const countsId = 'counts'

const again = (repeats: number): string =>
  repeats === 0 ? ', none sent twice' : `: ${counted(repeats, 'repeat')}`

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

/** One arrival with its answer and, folded away, everything as received. */
export function LeadRows({ entry }: { readonly entry: LedgerEntry }) {
  const { number, receivedAt, attempt, answered } = entry
  return (
    <tbody id={leadRowId(entry)}>
      <tr>
        <td className="number">{number}</td>
        <th scope="row">
          {nameOf(entry) || 'unreadable'}
          <span className="quiet">
            <Moment at={receivedAt} />
          </span>
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
            <Received entry={entry} />
          </details>
        </td>
      </tr>
    </tbody>
  )
}

export const leadRowId = ({ number }: LedgerEntry): string => `lead-${number}`

function Received({ entry }: { readonly entry: LedgerEntry }) {
  const { idempotencyKey, countForLead, answered, headers, raw } = entry
  const times = countForLead === 1 ? 'once' : `${countForLead} times`
  return (
    <dl>
      <dt>Idempotency-Key</dt>
      <dd>
        <code>{idempotencyKey ?? 'none'}</code>, received {times}
      </dd>
      {answered.fault && (
        <>
          <dt>Fault</dt>
          <dd>
            <code>{answered.fault}</code>, asked for by the {answered.askedBy}
          </dd>
        </>
      )}
      <dt>Answer</dt>
      <dd>
        <pre>{answered.body ?? 'none: the connection was reset, or nothing was sent'}</pre>
      </dd>
      <dt>Headers</dt>
      <dd>
        <pre>
          {Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      </dd>
      <dt>Body</dt>
      <dd>
        <pre>{indented(raw)}</pre>
      </dd>
    </dl>
  )
}

function nameOf({ body }: LedgerEntry): string {
  const person = body?.lead
  if (typeof person !== 'object' || person === null) return ''
  return ['firstname', 'lastname']
    .map((key) => (key in person ? String(person[key as keyof typeof person]) : ''))
    .join(' ')
    .trim()
}

/** Indents JSON; `GET /ledger` has it byte for byte. */
function indented(raw: string): string {
  const value = parseJson(raw)
  return value === undefined ? raw : JSON.stringify(value, null, 2)
}

/** A call without a lead. */
export function CallRows({ call }: { readonly call: ReceivedCall }) {
  const { service, asked, receivedAt, answered } = call
  return (
    <tbody id={callRowId(call)}>
      <tr>
        <th scope="row">
          {serviceNames[service]}
          <span className="quiet">
            <Moment at={receivedAt} />
          </span>
        </th>
        <td className="asked">{asked}</td>
        <td>
          <Badge {...answered} />
        </td>
      </tr>
    </tbody>
  )
}

export const callRowId = ({ number }: ReceivedCall): string => `call-${number}`

/** The service's current answer, in a sentence. */
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

import { parseJson } from '#server/platform/call/parse-json.ts'
import type { LedgerEntry } from '../calls/ledger.ts'
import { Badge } from './badge.tsx'
import { Moment } from './moment.tsx'

/** One arrival: what it was and what it got, and beneath it everything as received. */
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

/** JSON comes in one line; `GET /ledger` has it byte for byte. */
function indented(raw: string): string {
  const value = parseJson(raw)
  return value === undefined ? raw : JSON.stringify(value, null, 2)
}

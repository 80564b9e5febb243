import type { Service } from './faults.ts'

/** Returns the parsed value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Decodes a received lead from JSON or a form; null if it is neither. Form values stay strings. */
export function decodeLead(raw: string, contentType: string): Record<string, unknown> | null {
  if (contentType.includes('application/x-www-form-urlencoded')) return fromForm(raw)
  const value = parseJson(raw)
  return isGroup(value) ? value : null
}

function fromForm(raw: string): Record<string, unknown> {
  const lead: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(raw)) {
    const [, group, name] = /^([^[]+)\[([^\]]+)\]$/.exec(key) ?? []
    if (group === undefined || name === undefined) lead[key] = value
    else lead[group] = { ...(isGroup(lead[group]) ? lead[group] : {}), [name]: value }
  }
  return lead
}

/** Returns `lead.firstname` or `lead.lastname`; empty if it is missing. */
export function nameOf(lead: LedgerEntry['body'], part: 'firstname' | 'lastname'): string {
  const group = lead?.lead
  const name = isGroup(group) ? group[part] : undefined
  return typeof name === 'string' ? name : ''
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The sandbox's reply. Status and body are null if the sandbox reset the connection or never replied. */
export interface Answered {
  readonly status: number | null
  readonly body: string | null
}

export interface LedgerEntry {
  /** Numbers the arrivals from 1. It goes on after old entries were dropped, and restarts after `clear`. */
  readonly number: number
  /** When the lead arrived, in epoch milliseconds. */
  readonly receivedAt: number
  readonly idempotencyKey: string | null
  /** How often this lead had arrived by then, from 1. */
  readonly attempt: number
  /** How often this lead is in the ledger. More than 1 means that it was sent again. */
  readonly countForLead: number
  /**
   * The sandbox's reply, the name of its fault (null for none), and whether the last name or a switch on the page
   * caused the fault.
   */
  readonly answered: Answered & {
    readonly fault: string | null
    readonly askedBy: 'last name' | 'switch' | null
  }
  /** The request's headers. Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as received, byte for byte. */
  readonly raw: string
  /** The lead in the body; form values are strings. Null if the body was unreadable. */
  readonly body: Readonly<Record<string, unknown>> | null
}

type Kept = Omit<LedgerEntry, 'countForLead' | 'body'>

export type Ledger = ReturnType<typeof makeLedger>

/** Keeps the leads that the sandbox received in memory; 100,000 leads take about 80 MB. The oldest entries are dropped first. */
export function makeLedger(mostEntries = 100_000) {
  let kept: Kept[] = []
  let received = 0
  const counts = new Map<string, number>()
  // Without an idempotency key, equal bodies count as one lead.
  const leadOf = ({ idempotencyKey, raw }: Pick<Kept, 'idempotencyKey' | 'raw'>) =>
    idempotencyKey ?? raw
  const shown = ({ answered, headers, raw, ...entry }: Kept): LedgerEntry => ({
    ...entry,
    countForLead: counts.get(leadOf({ ...entry, raw })) ?? 0,
    answered,
    headers,
    raw,
    body: decodeLead(raw, headers['content-type'] ?? ''),
  })
  return {
    /** @param answer called with the number of arrivals of this lead, from 1 */
    receive(
      { headers, raw }: Pick<Kept, 'headers' | 'raw'>,
      answer: (attempt: number) => Kept['answered'],
    ): void {
      const idempotencyKey = headers['idempotency-key'] ?? null
      const lead = leadOf({ idempotencyKey, raw })
      const attempt = (counts.get(lead) ?? 0) + 1
      counts.set(lead, attempt)
      received += 1
      const arrival = { number: received, receivedAt: Date.now(), idempotencyKey, attempt }
      kept.push({ ...arrival, answered: answer(attempt), headers, raw })
      const dropped = kept.length > mostEntries ? kept.shift() : undefined
      if (dropped === undefined) return
      const left = (counts.get(leadOf(dropped)) ?? 1) - 1
      if (left === 0) counts.delete(leadOf(dropped))
      else counts.set(leadOf(dropped), left)
    },
    entries: (): readonly LedgerEntry[] => kept.map(shown),
    latest: (most: number): readonly LedgerEntry[] => kept.slice(-most).reverse().map(shown),
    counts: () => ({ arrivals: kept.length, leads: counts.size }),
    clear(): void {
      kept = []
      received = 0
      counts.clear()
    },
  }
}

/** A call without a lead: a lookup, or a call to the distributor whose body was never read. */
export interface ReceivedCall {
  /** Numbers the calls from 1 in the order of arrival. */
  readonly number: number
  /** When the call arrived, in epoch milliseconds. */
  readonly receivedAt: number
  readonly service: Service
  /** The request, without API keys. */
  readonly asked: string
  readonly answered: Answered
}

/** The page shows at most this many calls, enough for an enquiry. The oldest calls are dropped first. */
const maxCalls = 200

/** Keeps the latest calls without a lead in memory, newest first. */
export class CallList {
  #calls: readonly ReceivedCall[] = []
  #received = 0

  add(call: Pick<ReceivedCall, 'service' | 'asked' | 'answered'>): void {
    this.#received += 1
    const received = { ...call, number: this.#received, receivedAt: Date.now() }
    this.#calls = [received, ...this.#calls].slice(0, maxCalls)
  }

  latest(most: number): readonly ReceivedCall[] {
    return this.#calls.slice(0, most)
  }

  clear(): void {
    this.#calls = []
  }
}

import type { Service } from './faults.ts'

/** The value, or undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A received lead as an object, from JSON or a form; null if it is neither. Form values stay strings. */
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

/** `lead.firstname` or `lead.lastname`, or empty. */
export function nameOf(lead: LedgerEntry['body'], part: 'firstname' | 'lastname'): string {
  const group = lead?.lead
  const name = isGroup(group) ? group[part] : undefined
  return typeof name === 'string' ? name : ''
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The sandbox's reply; status and body are null if it reset the connection or never replied. */
export interface Answered {
  readonly status: number | null
  readonly body: string | null
}

export interface LedgerEntry {
  /** From 1, in the order of arrival; continues after entries were dropped, restarts after `clear`. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly idempotencyKey: string | null
  /** Counts the arrivals of this lead, from 1. */
  readonly attempt: number
  /** Arrivals of this lead in the ledger. More than 1 means that it was sent again. */
  readonly countForLead: number
  /** With the fault's name, null if there was none, and whether the last name or a switch on the page asked for it. */
  readonly answered: Answered & {
    readonly fault: string | null
    readonly askedBy: 'last name' | 'switch' | null
  }
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as received, byte for byte. */
  readonly raw: string
  /** The lead in the body; form values are strings. Null if the body was unreadable. */
  readonly body: Readonly<Record<string, unknown>> | null
}

type Kept = Omit<LedgerEntry, 'countForLead' | 'body'>

export type Ledger = ReturnType<typeof makeLedger>

/** Every lead that the sandbox received, in memory; 100,000 leads are about 80 MB. The oldest are dropped first. */
export function makeLedger(mostEntries = 100_000) {
  let kept: Kept[] = []
  let received = 0
  const counts = new Map<string, number>()
  // Without a key, equal bytes are the same lead.
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
    /** @param answer called with the arrivals of this lead so far, from 1 */
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
    /** In the order of arrival. */
    entries: (): readonly LedgerEntry[] => kept.map(shown),
    /** The newest first. */
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
  /** From 1, in the order of arrival. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly service: Service
  /** The request, without keys. */
  readonly asked: string
  readonly answered: Answered
}

/** Enough to see the calls of an enquiry; the oldest are dropped first. */
const maxCalls = 200

/** The last calls without a lead, the newest first, in memory. */
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

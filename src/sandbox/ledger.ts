import { parseJson } from '#server/platform/call/call.ts'

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

/** `lead.lastname`, or empty. */
export function lastNameOf(lead: Record<string, unknown> | null): string {
  const group = lead?.lead
  const lastName = isGroup(group) ? group.lastname : undefined
  return typeof lastName === 'string' ? lastName : ''
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface LedgerOptions {
  /** The oldest are dropped first, in batches, so a tenth more may be kept for a while. */
  readonly mostEntries?: number
  /** Of all bodies together, counted in UTF-16 units: 100,000 leads as they come are about 80 MB. */
  readonly mostCharacters?: number
  /** Called on every arrival, answer and clearing. */
  readonly onChange?: () => void
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
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as received, byte for byte. */
  readonly raw: string
  /** The lead in the body; form values are strings. Null if the body was unreadable. */
  readonly body: Readonly<Record<string, unknown>> | null
  readonly answered: Answered
}

/** The sandbox's reply; status and body are null if it reset the connection or never replied. */
export interface Answered {
  /** The fault's name; null if there was none. */
  readonly fault: string | null
  /** The lead's last name, or a switch on the page. */
  readonly askedBy: 'last name' | 'switch' | null
  readonly status: number | null
  readonly body: string | null
}

interface Kept {
  readonly number: number
  readonly receivedAt: number
  readonly leadKey: string
  readonly attempt: number
  readonly headers: Readonly<Record<string, string>>
  readonly raw: string
  answered: Answered
}

export interface Ledger {
  /** Records a lead as received, before it is answered. */
  receive(lead: Pick<Kept, 'headers' | 'raw'>): {
    readonly attempt: number
    answered(answered: Answered): void
  }
  /** In the order of arrival. */
  entries(): LedgerEntry[]
  /** The newest first. */
  latest(most: number): LedgerEntry[]
  /** How many arrivals the ledger holds, and of how many leads. */
  counts(): { readonly arrivals: number; readonly leads: number }
  clear(): void
}

/** Every lead that the sandbox received, in memory. */
export function makeLedger({
  mostEntries = 100_000,
  mostCharacters = 200_000_000,
  onChange = () => undefined,
}: LedgerOptions = {}): Ledger {
  let kept: Kept[] = []
  let received = 0
  let characters = 0
  const counts = new Map<string, number>()
  return {
    receive({ headers, raw }) {
      // Without a key, equal bytes are the same lead.
      const leadKey = headers['idempotency-key'] ?? raw
      const attempt = (counts.get(leadKey) ?? 0) + 1
      counts.set(leadKey, attempt)
      received += 1
      const answered: Answered = { fault: null, askedBy: null, status: null, body: null }
      const entry = { number: received, receivedAt: Date.now(), leadKey, attempt, headers, raw }
      const written: Kept = { ...entry, answered }
      kept.push(written)
      characters += raw.length
      // Dropping one at each arrival would copy the whole list each time.
      if (kept.length > mostEntries * 1.1 || characters > mostCharacters * 1.1) dropOldest()
      onChange()
      return {
        attempt,
        answered: (given) => {
          written.answered = given
          onChange()
        },
      }
    },
    entries: () => kept.slice(-mostEntries).map((entry) => shown(entry, counts)),
    latest: (most) =>
      kept
        .slice(-most)
        .reverse()
        .map((entry) => shown(entry, counts)),
    counts: () => ({ arrivals: kept.length, leads: counts.size }),
    clear() {
      kept = []
      received = 0
      characters = 0
      counts.clear()
      onChange()
    },
  }

  function dropOldest() {
    let dropped = 0
    while (kept.length - dropped > mostEntries || characters > mostCharacters) {
      const old = kept[dropped]
      if (old === undefined) break
      characters -= old.raw.length
      forget(old)
      dropped += 1
    }
    kept = kept.slice(dropped)
  }

  function forget({ leadKey }: Kept) {
    const left = (counts.get(leadKey) ?? 1) - 1
    if (left === 0) counts.delete(leadKey)
    else counts.set(leadKey, left)
  }
}

function shown(entry: Kept, counts: ReadonlyMap<string, number>): LedgerEntry {
  const { number, receivedAt, leadKey, attempt, headers, raw, answered } = entry
  return {
    number,
    receivedAt,
    idempotencyKey: headers['idempotency-key'] ?? null,
    attempt,
    countForLead: counts.get(leadKey) ?? 0,
    answered,
    headers,
    raw,
    body: decodeLead(raw, headers['content-type'] ?? ''),
  }
}

import { decodeLead } from '../distributor/decode-lead.ts'

/** About 300 MB of leads as they come; the oldest go first. */
const maxEntries = 100_000

export interface LedgerEntry {
  /** From 1, in the order of arrival; goes on after entries were dropped, starts again after `clear`. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly idempotencyKey: string | null
  /** Which arrival of this lead this one is, from 1. */
  readonly attempt: number
  /** Arrivals of this lead that the ledger holds now. More than 1: it was sent again. */
  readonly countForLead: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as received, byte for byte. */
  readonly raw: string
  /** The lead in the body; form values are strings. Null where the body was unreadable. */
  readonly body: Readonly<Record<string, unknown>> | null
  readonly answered: Answered
}

/** What the sandbox replied; status and body are null where it reset the connection or never replied. */
export interface Answered {
  /** The last name that asked for the fault; null where none did. */
  readonly fault: string | null
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
  /** Writes a lead down as it came, before it is answered. */
  receive(lead: Pick<Kept, 'headers' | 'raw'>): {
    readonly attempt: number
    answered(answered: Answered): void
  }
  /** In the order of arrival. */
  entries(): LedgerEntry[]
  clear(): void
}

/** Every lead that the sandbox received, in memory. */
export function makeLedger(limit = maxEntries): Ledger {
  let kept: Kept[] = []
  let received = 0
  const counts = new Map<string, number>()
  return {
    receive({ headers, raw }) {
      // Without a key the same bytes are the same lead.
      const leadKey = headers['idempotency-key'] ?? raw
      const attempt = (counts.get(leadKey) ?? 0) + 1
      counts.set(leadKey, attempt)
      received += 1
      const answered: Answered = { fault: null, status: null, body: null }
      const entry = { number: received, receivedAt: Date.now(), leadKey, attempt, headers, raw }
      const written: Kept = { ...entry, answered }
      kept.push(written)
      // A tenth more than the limit may stand: dropping one at each arrival would move the whole list each time.
      if (kept.length > limit * 1.1)
        for (const old of kept.splice(0, kept.length - limit)) forget(old)
      return {
        attempt,
        answered: (given) => {
          written.answered = given
        },
      }
    },
    entries: () => kept.slice(-limit).map((entry) => shown(entry, counts)),
    clear() {
      kept = []
      received = 0
      counts.clear()
    },
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

/** Decodes a lead from a JSON or form body; null if the body is neither. Form values stay strings. */
export function decodeLead(raw: string, contentType: string): Record<string, unknown> | null {
  if (contentType.includes('application/x-www-form-urlencoded')) return parseForm(raw)
  try {
    const value: unknown = JSON.parse(raw)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function parseForm(raw: string): Record<string, unknown> {
  const lead: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(raw)) {
    const [, group, name] = /^([^[]+)\[([^\]]+)\]$/.exec(key) ?? []
    if (group === undefined || name === undefined) lead[key] = value
    else lead[group] = { ...(isObject(lead[group]) ? lead[group] : {}), [name]: value }
  }
  return lead
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns `lead.firstname` or `lead.lastname`; empty if it is missing. */
export function readLeadName(
  body: Readonly<Record<string, unknown>> | null,
  key: 'firstname' | 'lastname',
): string {
  const name = isObject(body?.lead) ? body.lead[key] : undefined
  return typeof name === 'string' ? name : ''
}

interface Arrival {
  readonly number: number
  readonly receivedAt: number
  readonly idempotencyKey: string | null
  readonly attempt: number
  /** The sandbox's answer: `fault` is null without a fault; `status` and `body` are null without a reply. */
  readonly answered: {
    readonly fault: string | null
    readonly status: number | null
    readonly body: string | null
  }
  readonly headers: Readonly<Record<string, string>>
  readonly raw: string
}

export type LeadLedger = ReturnType<typeof makeLeadLedger>

/** Makes a ledger that keeps the latest leads in memory. 100,000 leads take about 80 MB. */
export function makeLeadLedger(maxEntries = 100_000) {
  let arrivals: Arrival[] = []
  let received = 0
  const counts = new Map<string, number>()
  return {
    /** @param answer returns the answer to the given attempt to send the lead, from 1 */
    receive(
      { headers, raw }: Pick<Arrival, 'headers' | 'raw'>,
      answer: (attempt: number) => Arrival['answered'],
    ): void {
      const idempotencyKey = headers['idempotency-key'] ?? null
      // Without an idempotency key, equal bodies count as one lead.
      const lead = idempotencyKey ?? raw
      const attempt = (counts.get(lead) ?? 0) + 1
      counts.set(lead, attempt)
      received += 1
      const arrival = { number: received, receivedAt: Date.now(), idempotencyKey, attempt }
      arrivals.push({ ...arrival, answered: answer(attempt), headers, raw })
      if (arrivals.length > maxEntries) arrivals.shift()
    },
    /** Returns the latest leads, oldest first; by default every lead in the ledger. */
    entries: (most = maxEntries) =>
      arrivals.slice(-most).map(({ answered, headers, raw, ...arrival }) => ({
        ...arrival,
        countForLead: counts.get(arrival.idempotencyKey ?? raw),
        answered,
        headers,
        raw,
        body: decodeLead(raw, headers['content-type'] ?? ''),
      })),
    clear(): void {
      arrivals = []
      received = 0
      counts.clear()
    },
  }
}

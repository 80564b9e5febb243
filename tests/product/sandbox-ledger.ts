import type { DistributorLead } from '#domain/lead/distributor-lead.ts'
import { patience } from '#tests/patience/patience.ts'

/** A request as the sandbox's distributor received it. */
export interface LedgerEntry {
  readonly idempotencyKey: string
  readonly countForLead: number
  readonly answered: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly body: DistributorLead
}

export async function readLedger(sandboxUrl: string): Promise<LedgerEntry[]> {
  const response = await fetch(`${sandboxUrl}/ledger`)
  return response.json()
}

/** Waits until the person's lead has arrived `count` times, and returns the arrivals. */
export async function arrivals(
  sandboxUrl: string,
  email: string,
  count = 1,
  withinMs = patience,
): Promise<LedgerEntry[]> {
  const giveUpAt = Date.now() + withinMs
  for (;;) {
    const found = (await readLedger(sandboxUrl)).filter(({ body }) => body?.lead?.email === email)
    if (found.length >= count) return found
    if (Date.now() > giveUpAt) throw new Error(`${found.length} of ${count} leads arrived`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

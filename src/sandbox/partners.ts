/** A call that the sandbox received in place of an affiliate (postback) or a CRM (webhook). */
interface PartnerCall {
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly to: 'affiliate' | 'crm'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Partners = ReturnType<typeof makePartners>

const maxCalls = 10_000

/** Makes a ledger that keeps the latest notifications in memory. */
export function makePartners() {
  let calls: PartnerCall[] = []
  return {
    receive(call: Omit<PartnerCall, 'receivedAt'>): void {
      calls.push({ receivedAt: Date.now(), ...call })
      if (calls.length > maxCalls) calls.shift()
    },
    /** Returns the latest calls, oldest first; by default every call in the ledger. */
    calls: (most = maxCalls): readonly PartnerCall[] => calls.slice(-most),
    clear(): void {
      calls = []
    },
  }
}

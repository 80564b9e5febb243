/** A call that the sandbox received as an affiliate (postback) or as a CRM (webhook). */
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

/** Plays an affiliate and a CRM, and keeps the latest calls in memory. */
export function makePartners() {
  let calls: PartnerCall[] = []
  return {
    receive(call: Omit<PartnerCall, 'receivedAt'>): void {
      calls.push({ receivedAt: Date.now(), ...call })
      if (calls.length > maxCalls) calls.shift()
    },
    /** Returns the latest calls, oldest first; by default all that are kept. */
    calls: (most = maxCalls): readonly PartnerCall[] => calls.slice(-most),
    clear(): void {
      calls = []
    },
  }
}

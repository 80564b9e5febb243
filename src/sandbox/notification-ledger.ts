/** A call that the sandbox received in place of an affiliate (postback) or a CRM (webhook). */
interface ReceivedNotification {
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly to: 'affiliate' | 'crm'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type NotificationLedger = ReturnType<typeof makeNotificationLedger>

const maxCalls = 10_000

/** Makes a ledger that keeps the latest notifications in memory. */
export function makeNotificationLedger() {
  let calls: ReceivedNotification[] = []
  return {
    receive(call: Omit<ReceivedNotification, 'receivedAt'>): void {
      calls.push({ receivedAt: Date.now(), ...call })
      if (calls.length > maxCalls) calls.shift()
    },
    /** Returns the latest calls, oldest first; by default every call in the ledger. */
    calls: (most = maxCalls): readonly ReceivedNotification[] => calls.slice(-most),
    clear(): void {
      calls = []
    },
  }
}

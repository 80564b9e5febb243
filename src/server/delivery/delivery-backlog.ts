import type { CountedLeads } from './error-groups.ts'

/** What is owed and not delivered yet. */
export interface Backlog {
  readonly waiting: CountedLeads
  /** Of them: those that a worker takes next, or would. */
  readonly due: CountedLeads
  /** Received the longest ago; undefined where none waits. */
  readonly oldest: { readonly id: string; readonly receivedAt: number } | undefined
}

export interface DeliveryBacklog {
  /** @param now epoch milliseconds */
  read(now: number): Promise<Backlog>
  /** When what is due the longest became so, or will, in epoch milliseconds; undefined where nothing is owed. */
  firstDue(): Promise<number | undefined>
}

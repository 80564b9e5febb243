import type { AcceptedLead, LeadArrival } from '#server/enquiries/accept-enquiry.ts'
import { type ArrivalReply, errorOfFault } from './thread-calls.ts'

interface Sent extends PromiseWithResolvers<AcceptedLead> {
  readonly arrival: LeadArrival
}

/** Fewer cost more messages; with more, the thread waits for work that is already here. */
const mostTogether = 16

/**
 * Sends arrivals to the thread that stores them as they come, some to a message. The thread itself makes groups of what
 * it finds: grouped on this side it stood idle for a third of the time, as we learn of a commit only when all requests
 * of a turn of the event loop are served.
 */
export class ArrivalSender {
  readonly #store: (arrivals: string) => Promise<readonly ArrivalReply[]>
  #waiting: Sent[] = []

  /** @param store see `ThreadVerbs.storeArrivals` */
  constructor(store: (arrivals: string) => Promise<readonly ArrivalReply[]>) {
    this.#store = store
  }

  /** Resolves once the arrival is on disk. */
  send(arrival: LeadArrival): Promise<AcceptedLead> {
    const sent = { arrival, ...Promise.withResolvers<AcceptedLead>() }
    this.#waiting.push(sent)
    if (this.#waiting.length === mostTogether) this.#sendWaiting()
    else if (this.#waiting.length === 1) setImmediate(() => this.#sendWaiting())
    return sent.promise
  }

  async #sendWaiting(): Promise<void> {
    const together = this.#waiting
    if (together.length === 0) return
    this.#waiting = []
    try {
      const replies = await this.#store(JSON.stringify(together.map(({ arrival }) => arrival)))
      for (const [index, reply] of replies.entries()) settle(together[index] as Sent, reply)
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }
}

function settle({ resolve, reject }: Sent, reply: ArrivalReply): void {
  if ('fault' in reply) reject(errorOfFault(reply.fault))
  else resolve(reply.accepted)
}

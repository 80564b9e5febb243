import type { Logger } from 'pino'
import type { UnreadableClaim } from '../delivery-queue.ts'

/** Says of each lead that cannot be read what that makes of it, once: by its id and the parts' names, no more. */
export function makeTellUnreadable(log: Logger): (claim: UnreadableClaim) => void {
  /** Each comes again as often as a lease is long, until a newer worker has it. */
  const left = new Set<string>()
  return ({ leadId, parts, isNewer }) => {
    const about = { leadId, parts, reason: 'unreadable' }
    if (!isNewer) {
      log.warn(
        about,
        'a lead is dead: what is stored of it cannot be read, and it waits for an operator',
      )
    } else if (!left.has(leadId)) {
      left.add(leadId)
      log.warn(
        about,
        'a lead waits: a newer release has written it, and a worker of that one can send it',
      )
    }
  }
}

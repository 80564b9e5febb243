import { OwnError } from '#domain/own-error.ts'
import {
  type AcceptedLead,
  IntakeFullError,
  type LeadArrival,
  type LeadIntake,
} from '../accept-enquiry.ts'

/** About a second's worth on a slow disk, and some 5 MB: beyond it a visitor does better to come again. */
const maxWaiting = 2000

/** The port, and a `close` that waits for what has been taken. */
export interface StoreIntake extends LeadIntake {
  close(): Promise<void>
}

/** @param store resolves once the arrival is on disk */
export function makeLeadIntake(
  store: (arrival: LeadArrival) => Promise<AcceptedLead>,
): StoreIntake {
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    accept: async (arrival) => {
      if (isClosed) throw new OwnError('The store is closed.')
      if (underWay.size >= maxWaiting) {
        throw new IntakeFullError(`${maxWaiting} leads wait to be stored already.`)
      }
      const stored = store(arrival)
      underWay.add(stored)
      return stored.finally(() => underWay.delete(stored))
    },
    close: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}

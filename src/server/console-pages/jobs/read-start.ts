import { mostRate, readRate } from '#domain/job/rate.ts'
import { longestReason } from '#server/operators/audit.ts'
import { reasonFault } from '../read-form.ts'

interface StartOrder {
  readonly reason: string
  readonly rate: number
}

type ReadStart =
  | { readonly order: StartOrder; readonly faults?: undefined }
  | {
      readonly order?: undefined
      readonly faults: Readonly<Partial<Record<keyof StartOrder, string>>>
    }

/** What was typed to start a job by. */
export function readStart(typed: Readonly<Record<keyof StartOrder, string>>): ReadStart {
  const reason = typed.reason.trim()
  const rate = readRate(typed.rate)
  const tooLong = reasonFault(reason, longestReason)
  if (reason !== '' && tooLong === undefined && rate !== undefined) {
    return { order: { reason, rate } }
  }
  return {
    faults: {
      ...(reason === '' ? { reason: 'Say why, in a few words.' } : {}),
      ...(tooLong === undefined ? {} : { reason: tooLong }),
      ...(rate === undefined ? { rate: `Give a whole number from 1 to ${mostRate}.` } : {}),
    },
  }
}

import type { Service } from '../services/services.ts'

/** Enough to see what an enquiry has caused; the oldest go first. */
const mostCalls = 200

/** A call that brought no lead: a lookup's, or one to the distributor whose body was never read. */
export interface ReceivedCall {
  /** From 1, in the order of arrival. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly service: Service
  /** What was asked, without keys. */
  readonly asked: string
  readonly answered: CallAnswer
}

export interface CallAnswer {
  /** What the fault is called that was asked for; null where none was. */
  readonly fault: string | null
  /** Null where the connection was reset or no reply ever came. */
  readonly status: number | null
  readonly body: string | null
}

export interface CallList {
  /** @returns writes down what was answered */
  receive(call: Pick<ReceivedCall, 'service' | 'asked'>): (answered: CallAnswer) => void
  /** The newest first. */
  latest(most: number): readonly ReceivedCall[]
  clear(): void
}

/** The last 200 calls that brought no lead, in memory. */
export function makeCallList(onChange: () => void = () => undefined): CallList {
  let calls: ReceivedCall[] = []
  let received = 0
  return {
    receive(call) {
      received += 1
      const number = received
      const answered = { fault: null, status: null, body: null }
      calls = [{ ...call, number, receivedAt: Date.now(), answered }, ...calls].slice(0, mostCalls)
      onChange()
      return (given) => {
        calls = calls.map((one) => (one.number === number ? { ...one, answered: given } : one))
        onChange()
      }
    },
    latest: (most) => calls.slice(0, most),
    clear() {
      calls = []
      onChange()
    },
  }
}

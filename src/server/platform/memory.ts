import { LRUCache } from 'lru-cache'

/** A value that the first caller creates and all callers share. After a failure the next caller tries again. */
export class Lazy<Value> {
  readonly #make: () => Promise<Value>
  #made: Promise<Value> | undefined

  constructor(make: () => Promise<Value>) {
    this.#make = make
  }

  get(): Promise<Value> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined
      throw error
    })
    return this.#made
  }

  /** The value or its pending promise; undefined before the first call and after a failure. */
  made(): Promise<Value> | undefined {
    return this.#made
  }
}

export interface Memory<Answer> {
  /** The largest number of answers to keep; the least recently used one is dropped first. */
  readonly most: number
  /** How long an answer stays valid, in milliseconds. */
  readonly holdsMs: number
  /** False for a failure, which is not kept. */
  readonly isKept: (answer: Answer) => boolean
  /** A clock in milliseconds, with any origin. */
  readonly clock?: () => number
}

/** Asks once per key while an answer is pending or still valid, in this process only. */
export function registerMemory<Answer>(
  ask: (key: string) => Promise<Answer>,
  { most, holdsMs, isKept, clock }: Memory<Answer>,
): (key: string) => Promise<Answer> {
  const answers = new LRUCache<string, Promise<Answer>>({
    max: most,
    ttl: holdsMs,
    ...(clock ? { perf: { now: clock }, ttlResolution: 0 } : {}),
  })
  return (key) => {
    const before = answers.get(key)
    if (before) return before
    const answer = ask(key)
    answers.set(key, answer)
    const forget = () => {
      if (answers.peek(key) === answer) answers.delete(key)
    }
    answer.then((found) => isKept(found) || forget(), forget)
    return answer
  }
}

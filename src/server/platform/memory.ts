import { LRUCache } from 'lru-cache'

/** What is made by whoever asks first, and kept for all. Where making it failed, whoever asks next makes it anew. */
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

  /** What is there or being made; undefined where nobody has asked, or making it failed. */
  made(): Promise<Value> | undefined {
    return this.#made
  }
}

export interface Memory<Answer> {
  /** How many answers are kept; of more, those that were not asked for the longest go. */
  readonly most: number
  /** How long an answer holds, in milliseconds. */
  readonly holdsMs: number
  /** Whether an answer is one: a fault is asked about again. */
  readonly isKept: (answer: Answer) => boolean
  /** Milliseconds of any origin. */
  readonly clock?: () => number
}

export interface Remembered<Answer> {
  /** The answer that is kept or under way; undefined where there is none. */
  readonly known: (key: string) => Promise<Answer> | undefined
  readonly ask: (key: string) => Promise<Answer>
}

/** Asks once for each key, while the answer is under way and as long as it holds; in this process only. */
export function remember<Answer>(
  ask: (key: string) => Promise<Answer>,
  { most, holdsMs, isKept, clock }: Memory<Answer>,
): Remembered<Answer> {
  const answers = new LRUCache<string, Promise<Answer>>({
    max: most,
    ttl: holdsMs,
    ...(clock ? { perf: { now: clock }, ttlResolution: 0 } : {}),
  })
  const known = (key: string) => answers.get(key)
  return {
    known,
    ask: (key) => {
      const before = known(key)
      if (before) return before
      const answer = ask(key)
      answers.set(key, answer)
      const forget = () => {
        if (answers.peek(key) === answer) answers.delete(key)
      }
      answer.then((found) => isKept(found) || forget(), forget)
      return answer
    },
  }
}

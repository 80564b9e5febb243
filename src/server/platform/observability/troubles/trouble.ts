import type { Logger } from 'pino'

/** How often it is said again while it lasts, in milliseconds. */
const sayAgainAfter = 60_000
/**
 * So long after it was last met it is over, in milliseconds: where too many come at once, some succeed meanwhile, and what
 * waits tries again once a second.
 */
const overAfter = 2000

interface TroubleWords {
  /** Words, or what makes them of the error. */
  readonly begins: string | ((error: unknown) => string)
  readonly ends: string
}

/** What would fill the log while it lasts: said when it begins, once a minute with how often it was met, and at its end. */
export class Trouble {
  readonly #log: Logger
  readonly #words: TroubleWords
  #times = 0
  #beganAt = 0
  #saidAt = 0
  #metAt = 0

  constructor(log: Logger, words: TroubleWords) {
    this.#log = log
    this.#words = words
  }

  /** @param about what else the line says, without personal data */
  met(error: unknown, about: Readonly<Record<string, string>> = {}): void {
    const now = performance.now()
    const isNew = this.#times === 0
    if (isNew) this.#beganAt = now
    this.#times++
    this.#metAt = now
    if (!isNew && now - this.#saidAt < sayAgainAfter) return
    this.#saidAt = now
    const { begins } = this.#words
    const words = typeof begins === 'string' ? begins : begins(error)
    this.#log.error({ err: error, ...about, times: this.#times }, words)
  }

  /** What met it before has succeeded. */
  notMet(): void {
    if (this.#times === 0) return
    const now = performance.now()
    if (now - this.#metAt < overAfter) return
    const seconds = Math.round((now - this.#beganAt) / 1000)
    this.#log.warn({ times: this.#times, seconds }, this.#words.ends)
    this.#times = 0
  }
}

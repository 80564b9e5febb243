import type { Logger } from 'pino'

/** How often it is said again while it lasts, in milliseconds. */
const sayAgainAfter = 60_000
/** So long after the last refusal it is over, in milliseconds: where too many come at once, some are stored meanwhile. */
const overAfter = 1000

/** A disk that is full refuses every enquiry: said when it begins, once a minute, and when it is over. */
export class StoringTrouble {
  readonly #log: Logger
  #refused = 0
  #beganAt = 0
  #saidAt = 0
  #refusedAt = 0

  constructor(log: Logger) {
    this.#log = log
  }

  refused(error: unknown): void {
    const now = performance.now()
    const isNew = this.#refused === 0
    if (isNew) this.#beganAt = now
    this.#refused++
    this.#refusedAt = now
    if (!isNew && now - this.#saidAt < sayAgainAfter) return
    this.#saidAt = now
    this.#log.error(
      { err: error, refused: this.#refused },
      'leads are not stored: visitors are told so, and to send again',
    )
  }

  stored(): void {
    if (this.#refused === 0) return
    const now = performance.now()
    if (now - this.#refusedAt < overAfter) return
    const seconds = Math.round((now - this.#beganAt) / 1000)
    this.#log.warn({ refused: this.#refused, seconds }, 'leads are stored again')
    this.#refused = 0
  }
}

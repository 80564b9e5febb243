/** Answers that are not on disk yet, in rounds of all slots: a store that is away stops the sending, too. */
const mostUnrecorded = 8

/** How many deliveries may begin: so many calls of the distributor at once, and a bound on what is not recorded yet. */
export class DeliverySlots {
  readonly #concurrency: number
  /** From the call's begin until it is recorded. */
  readonly #underWay = new Map<string, Promise<void>>()
  #calls = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  free(): number {
    return Math.min(
      this.#concurrency - this.#calls,
      this.#concurrency * mostUnrecorded - this.#underWay.size,
    )
  }

  holds(id: string): boolean {
    return this.#underWay.has(id)
  }

  /** @param delivery never rejects */
  hold(id: string, delivery: Promise<void>): void {
    this.#underWay.set(
      id,
      delivery.finally(() => this.#underWay.delete(id)),
    )
  }

  async call<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    this.#calls++
    return make().finally(() => {
      this.#calls--
    })
  }

  async allRecorded(): Promise<void> {
    await Promise.all(this.#underWay.values())
  }
}

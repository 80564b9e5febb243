interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitSettings<Item, Result> {
  /** Stores a batch in one transaction and resolves with one result per item, in order. */
  readonly commit: (batch: readonly Item[]) => Promise<readonly Result[]>
  readonly maxBatch: number
  /** Two items that share a name are never in one batch: the later one waits for the next. */
  readonly namesOf: (item: Item) => readonly string[]
  /** Whether a single item made the batch fail, so that the items are tried one by one. Nothing of the batch was stored. */
  readonly isFaultOfAnItem: (error: unknown) => boolean
}

/**
 * Gathers what arrives together into one transaction, so that many share one fsync: on a disk where that takes 10 ms
 * more, 64 at once are 4,857 a second instead of 76.
 */
export class GroupCommit<Item, Result> {
  readonly #settings: GroupCommitSettings<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  /** A batch is on its way or about to be. */
  #isAtWork = false

  constructor(settings: GroupCommitSettings<Item, Result>) {
    this.#settings = settings
  }

  /** Resolves once the item is committed. */
  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, resolve, reject })
    this.#beginSoon()
    return promise
  }

  /** Items that come in the same turn of the event loop share a batch. */
  #beginSoon(): void {
    if (this.#waiting.length === 0 || this.#isAtWork) return
    this.#isAtWork = true
    setImmediate(() => this.#begin())
  }

  async #begin(): Promise<void> {
    const settle = await this.#commit(this.#takeBatch())
    this.#isAtWork = false
    // The next batch first: the disk would be idle while callers handle their results.
    this.#beginSoon()
    setImmediate(settle)
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = []
    const later: Waiting<Item, Result>[] = []
    const taken = new Set<string>()
    for (const waiting of this.#waiting) {
      const names = this.#settings.namesOf(waiting.item)
      const fits = batch.length < this.#settings.maxBatch && !names.some((name) => taken.has(name))
      if (fits) for (const name of names) taken.add(name)
      const queue = fits ? batch : later
      queue.push(waiting)
    }
    this.#waiting = later
    return batch
  }

  /** @returns what resolves or rejects the batch's items */
  async #commit(batch: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await this.#settings.commit(batch.map(({ item }) => item))
      return () => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      }
    } catch (error) {
      const settle: (() => void)[] = []
      if (batch.length > 1 && this.#settings.isFaultOfAnItem(error)) {
        for (const waiting of batch) settle.push(await this.#commit([waiting]))
      } else
        settle.push(
          ...batch.map(
            ({ reject }) =>
              () =>
                reject(error),
          ),
        )
      return () => {
        for (const settleOne of settle) settleOne()
      }
    }
  }
}

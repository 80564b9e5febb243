import { timedCache } from '../../memory/timed-cache.ts'
import { isBadRow } from '../faults/is-bad-row.ts'
import { isCorrupt } from '../faults/is-corrupt.ts'

interface ReadinessPorts {
  /** Rejects where the database does not answer, lacks a migration or takes no writes. */
  readonly assertUsable: () => Promise<void>
  /** Rejects where as much as enquiries need cannot be written. */
  readonly tryToWrite: () => Promise<void>
}

/** However often monitors and pages ask, in milliseconds. */
const tryEvery = 1000

/** Between two trials while nothing is known to be wrong, in milliseconds: a process that takes no enquiries hears of no enquiry that was refused. */
const tryUnaskedEvery = 30_000

/**
 * Whether enquiries can be stored, as monitors and operators are told. One that could not be is believed at once; from then on
 * whoever asks makes a trial, so that it ends without an enquiry: a load balancer that was told 503 sends none.
 */
export class Readiness {
  readonly #check: () => Promise<void>
  readonly #trial: () => Promise<void>
  #triedAt = Number.NEGATIVE_INFINITY
  #damage: Error | undefined
  #notStored: { readonly error: unknown } | undefined

  constructor({ assertUsable, tryToWrite }: ReadinessPorts) {
    this.#check = timedCache(
      async () => {
        await assertUsable()
        if (performance.now() - this.#triedAt < tryUnaskedEvery) return
        await tryToWrite()
        this.#triedAt = performance.now()
      },
      { everyMs: tryEvery },
    )
    this.#trial = timedCache(
      async () => {
        const notStored = this.#notStored
        await tryToWrite()
        // Of a later one the trial says nothing, and of a corrupt table it has not seen all.
        if (notStored === this.#notStored && !isCorrupt(notStored?.error))
          this.#notStored = undefined
      },
      { everyMs: tryEvery },
    )
  }

  /** An enquiry was not stored. One whose own values are to blame says nothing of others. */
  refused(error: unknown): void {
    if (!isBadRow(error)) this.#notStored = { error }
  }

  stored(): void {
    if (isCorrupt(this.#notStored?.error)) this.#notStored = undefined
  }

  /** Nothing that succeeds since says that all is well: what is stored may lie on a page that is lost. */
  foundDamaged(error: Error): void {
    this.#damage = error
  }

  assertUndamaged(): void {
    if (this.#damage !== undefined) throw this.#damage
  }

  /** Resolves where enquiries can be stored, else rejects. However many ask, the store is asked once a second. */
  async ready(): Promise<void> {
    this.assertUndamaged()
    await this.#check()
    if (this.#notStored === undefined) return
    await this.#trial()
    if (this.#notStored !== undefined) throw this.#notStored.error
  }
}

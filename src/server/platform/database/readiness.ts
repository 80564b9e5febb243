import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isBadRow, isCorrupt } from '../faults/database-errors.ts'
import { timedCache } from '../timed-cache.ts'
import type { StoreTables } from './tables/store-tables.ts'

/** The store is asked at most so often, however many monitors and pages ask, in milliseconds. */
const tryIntervalMs = 1000

/** Time between two trials of a healthy store, in milliseconds: a process without enquiries learns of a full disk only by them. */
const idleTryIntervalMs = 30_000

/**
 * Tells monitors and operators whether enquiries can be stored. The first enquiry that fails makes it unready at once. From
 * then on each check tries a write, because a load balancer that gets 503 sends no enquiry that could succeed.
 */
export class Readiness {
  readonly #check: () => Promise<void>
  readonly #trial: () => Promise<void>
  #triedAt = Number.NEGATIVE_INFINITY
  #damage: Error | undefined
  #notStored: { readonly error: unknown } | undefined

  /**
   * @param assertUsable rejects where the database does not answer, lacks a migration or takes no writes
   * @param tryToWrite rejects where as much as enquiries need cannot be written
   */
  constructor(assertUsable: () => Promise<void>, tryToWrite: () => Promise<void>) {
    this.#check = timedCache(
      async () => {
        await assertUsable()
        if (performance.now() - this.#triedAt < idleTryIntervalMs) return
        await tryToWrite()
        this.#triedAt = performance.now()
      },
      { everyMs: tryIntervalMs },
    )
    this.#trial = timedCache(
      async () => {
        const notStored = this.#notStored
        await tryToWrite()
        // The trial says nothing about a later failure, and it does not read all of a corrupt table.
        if (notStored === this.#notStored && !isCorrupt(notStored?.error))
          this.#notStored = undefined
      },
      { everyMs: tryIntervalMs },
    )
  }

  /** An enquiry was not stored. An enquiry with a bad value says nothing about others. */
  refused(error: unknown): void {
    if (!isBadRow(error)) this.#notStored = { error }
  }

  stored(): void {
    if (isCorrupt(this.#notStored?.error)) this.#notStored = undefined
  }

  /** Stays unready whatever succeeds since: stored leads may lie on a damaged page. */
  foundDamaged(error: Error): void {
    this.#damage = error
  }

  assertUndamaged(): void {
    if (this.#damage !== undefined) throw this.#damage
  }

  /** Rejects where enquiries cannot be stored. Asks the store at most once a second for all callers. */
  async ready(): Promise<void> {
    this.assertUndamaged()
    await this.#check()
    if (this.#notStored === undefined) return
    await this.#trial()
    if (this.#notStored !== undefined) throw this.#notStored.error
  }
}

/** More than 16 visitors write in one transaction, so that they fit where this did; in characters. */
const trialLength = 256 * 1024

/** Beside the secrets, where a name has one value. */
const trial = 'write trial'

/**
 * Writes as much as many enquiries do, and removes it. On an almost full disk a smaller write
 * would succeed for many more seconds. Too much for a check that is made every second on a store
 * that is well.
 */
export async function tryToWrite(db: Kysely<StoreTables>): Promise<void> {
  // Neither SQLite nor PostgreSQL makes less of it.
  const value = randomBytes((trialLength * 3) / 4).toString('base64')
  await db
    .insertInto('secrets')
    .values({ name: trial, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  await db.deleteFrom('secrets').where('name', '=', trial).execute()
}

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { minute } from '#domain/durations.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { sanitizeError } from '#server/platform/faults/sanitize-error.ts'

export const makeDisclosureId = (text: string): string => hash('sha256', text).slice(0, 16)

const isDisclosureId = /^[\da-f]{16}$/

/** The time until a disclosure that the store did not keep is saved again, in milliseconds. */
const retryAfter = minute

/**
 * Knows every disclosure that a page has shown, by the id that the form sends. If the operator edits the disclosure
 * while a page is open, the lead keeps the text that its visitor saw. The store tells other processes, and this process
 * after a restart.
 */
export function makeShownDisclosures(db: Kysely<StoreTables>, log: Pick<Logger, 'warn'>) {
  const texts = new Map<string, string>()
  const save = (id: string, text: string): Promise<unknown> =>
    db
      .insertInto('shown_disclosures')
      .values({ id, text })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  // Without its row, the visitors of this process only have to agree again if the process ends meanwhile.
  const keep = (id: string, text: string): void => {
    save(id, text).catch((error: unknown) => {
      log.warn(sanitizeError(error), 'the store did not keep the new disclosure; it is tried again')
      setTimeout(keep, retryAfter, id, text).unref()
    })
  }
  return {
    /** Remembers a disclosure before a page shows it. @returns its id */
    show: (text: string): string => {
      const id = makeDisclosureId(text)
      if (texts.has(id)) return id
      texts.set(id, text)
      keep(id, text)
      return id
    },
    /** Finds the disclosure with an id that a form has sent; undefined if this store knows no such disclosure. @throws if the store is unreachable */
    find: async (id: string): Promise<string | undefined> => {
      if (!isDisclosureId.test(id)) return undefined
      const known = texts.get(id)
      if (known !== undefined) return known
      const row = await db
        .selectFrom('shown_disclosures')
        .select('text')
        .where('id', '=', id)
        .executeTakeFirst()
      // Once found, the text stays known while the store is unreachable.
      if (row) texts.set(id, row.text)
      return row?.text
    },
  }
}

import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { errorGroupId } from '#domain/delivery/error-group.ts'
import { foldWords } from '#domain/delivery/error-words.ts'
import { maskQuoted } from '#domain/lead/mask/mask-quoted.ts'
import type { Quoted } from '#domain/lead/mask/naming-parts.ts'
import type { StoreTables } from '../../store-tables.ts'

export type Group = Selectable<StoreTables['error_groups']>

/**
 * The group of a lead whose last attempt failed: docs/decisions/0188.
 * @param lead undefined where it cannot be read: nothing says then what would have to go from the words
 */
export function groupOf(error: string, said: string | null, lead: Quoted | undefined): Group {
  const words = said === null || lead === undefined ? '' : foldWords(maskQuoted(said, lead))
  return named(error, words)
}

/** Where there are too many already. */
export const groupOfRest = ({ error }: Group): Group => named(error, '…')

const named = (error: string, words: string): Group => {
  const mark = createHash('sha256').update(words).digest('base64url').slice(0, 8)
  return { id: errorGroupId(error, mark), error, words }
}

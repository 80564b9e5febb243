import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { dedupeKeyOf } from '#domain/lead/duplicate.ts'
import type { StoreTables } from '../../store-tables.ts'
import { readPayload } from '../lead-payload.ts'

/** Made anew: the one that is stored may be of a version that made it otherwise. Not for erased leads. */
export const dedupeKeyOfRow = ({
  email,
  payload,
}: Pick<Selectable<StoreTables['leads']>, 'email' | 'payload'>): string =>
  hash('sha256', dedupeKeyOf({ email, ...readPayload(payload) }))

import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { dedupeKeyOf } from '#domain/lead/duplicate.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { orUnreadable, readPayload } from '../store/lead-payload.ts'

/** What a dedupe key is made of. */
export const keyColumns = ['same_enquiry_hash', 'email', 'payload'] as const

/**
 * Made anew: the one that is stored may be of a version that made it otherwise. It serves where the lead cannot be read.
 * Not for erased leads.
 */
export const dedupeKeyOfRow = ({
  same_enquiry_hash,
  email,
  payload,
}: Pick<Selectable<StoreTables['leads']>, (typeof keyColumns)[number]>): string =>
  orUnreadable(
    () => hash('sha256', dedupeKeyOf({ email, ...readPayload(payload) })),
    () => same_enquiry_hash,
  )

import type { Selectable } from 'kysely'
import type { IndexedStatus } from '#server/platform/database/tables/lead-index-tables.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { orUnreadable, readErasedPayload, readPayload } from '../store/lead-payload.ts'
import { readSignals } from '../store/lead-status.ts'
import { type Group, groupOf } from './error-groups/group-of.ts'
import { errorKey } from './error-key.ts'
import { personKeys, signalKey } from './lead-keys.ts'

type Lead = Selectable<StoreTables['leads']>
type Delivery = Selectable<StoreTables['deliveries']>
type Attempt = Selectable<StoreTables['attempts']>

/** A lead with its delivery and the last attempt of it, where there are any. */
export type ChangedLead = Pick<
  Lead,
  | 'id'
  | 'received_at'
  | 'area'
  | 'email'
  | 'payload'
  | 'signals'
  | 'erased_at'
  | 'quarantined_at'
  | 'released_at'
> & {
  readonly delivery_id: string | null
  readonly settled_as: Delivery['settled_as']
  readonly attempts: number | null
  /** Its id, where the index has it already. */
  readonly indexed: string | null
} & Nullable<
    Pick<Attempt, 'outcome' | 'http_status' | 'error_code' | 'reason' | 'detail' | 'started_at'>
  >

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

export interface IndexEntry {
  /** Every column: one that is left out would be empty for ever. */
  readonly row: Omit<Selectable<StoreTables['lead_index']>, 'error_group'>
  /** What its last attempt is counted to; null where that did not fail. */
  readonly group: Group | null
  /** Those to be written: a lead that the index has has them already, as they never change. */
  readonly keys: readonly string[]
}

export function indexEntryOf(lead: ChangedLead, secret: string): IndexEntry {
  const { id, received_at, area, erased_at, outcome } = lead
  const known = { lead_id: id, received_at, area, attempts: lead.attempts ?? 0 }
  const signals = readSignals(lead.signals).map(signalKey)
  if (erased_at !== null) {
    const program = readErasedPayload(lead.payload).program?.id ?? null
    const nothing = { affiliate: null, state: null, verified: null, error: null, failed_at: null }
    return { row: { ...known, status: 'erased', program, ...nothing }, group: null, keys: [] }
  }
  const said = saidIn(lead)
  const status = statusOf(lead)
  const isOver = status === 'delivered' || outcome === null
  const error = isOver ? null : errorKey({ ...lead, outcome })
  const keys = [...personKeys(secret, { ...said.person, email: lead.email }), ...signals]
  const failed_at = error === null ? null : lead.started_at
  return {
    row: { ...known, status, ...said.row, error, failed_at },
    group: error === null ? null : groupOf({ error, said: lead.detail, lead: said.quoted }, secret),
    keys: lead.indexed === null ? [...new Set(keys)] : [],
  }
}

function statusOf(lead: ChangedLead): IndexedStatus {
  if (lead.quarantined_at !== null && lead.released_at === null) return 'quarantined'
  if (lead.delivery_id === null) return 'duplicate'
  return lead.settled_as ?? 'owed'
}

/** Of one that cannot be read nothing but its columns is known. */
const saidIn = ({ payload, email }: Pick<ChangedLead, 'payload' | 'email'>) =>
  orUnreadable(
    () => {
      const read = readPayload(payload)
      const { program, subId, state, addressVerified, phone, lastName } = read
      const verified = addressVerified ? 1 : 0
      return {
        row: { program: program.id, affiliate: subId, state, verified },
        person: { phone, lastName },
        // An IP is folded as all numbers are.
        quoted: { ...read, email, consent: { ip: '' } },
      }
    },
    () => ({
      row: { program: null, affiliate: null, state: null, verified: null },
      person: {},
      quoted: undefined,
    }),
  )

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Locking } from '#server/platform/database/locking.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { keepGroups } from './error-groups/keep-groups.ts'
import { type ChangedLead, type IndexEntry, indexEntryOf } from './index-entry.ts'

export interface Followed {
  /** Changes that are in the index now. */
  readonly changes: number
  /** Whether more were there, or another process is at it. */
  readonly mayBeMore: boolean
}

interface Following {
  readonly take: number
  /** Of the keys: see `lead-keys.ts`. */
  readonly secret: string
  readonly locking: Locking
}

/** Any number, the same in every process: one follows at a time, or an older reading could be written over a newer one. */
const followersLock = 180_018_001

/**
 * Brings the index up to the newest changes, in one transaction. Each is looked up as it stands
 * now, so that it does not matter how often, in which order or how late.
 */
export function followChanges(db: Kysely<StoreTables>, following: Following): Promise<Followed> {
  const { take, secret, locking } = following
  return db.transaction().execute(async (store) => {
    if (locking === 'rows' && !(await isAlone(store))) return { changes: 0, mayBeMore: true }
    const changes = await takeNewest(store, take)
    if (changes.length === 0) return { changes: 0, mayBeMore: false }
    const ids = [...new Set(changes.map(({ lead_id }) => lead_id))]
    const leads = await readLeads(store, ids, locking)
    await writeEntries(
      store,
      leads.map((lead) => indexEntryOf(lead, secret)),
    )
    return { changes: changes.length, mayBeMore: changes.length === take }
  })
}

/**
 * Until the transaction ends, however it does. Its commit waits for no disk: what a crash of the database takes of it
 * takes the removal of the changes, too, and they are followed once more. Enquiries, whose commits do wait, would have
 * to wait for this one first.
 */
async function isAlone(store: Transaction<StoreTables>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${followersLock}) as locked,
      set_config('synchronous_commit', 'off', true)`.execute(store)
  return rows[0]?.locked === true
}

/** Back again where the transaction fails. */
const takeNewest = (store: Transaction<StoreTables>, take: number) =>
  store
    .deleteFrom('lead_changes')
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('lead_changes as newest')
        .select('newest.seq')
        .orderBy('newest.seq', 'desc')
        .limit(take),
    )
    .returning('lead_id')
    .execute()

/** Locked: what erases one of them waits, and then finds its keys; or was first, and then they are not written. */
async function readLeads(
  store: Transaction<StoreTables>,
  ids: readonly string[],
  locking: Locking,
): Promise<readonly ChangedLead[]> {
  const leads = await store
    .selectFrom('leads')
    .leftJoin('deliveries', 'deliveries.lead_id', 'leads.id')
    .leftJoin('lead_index', 'lead_index.lead_id', 'leads.id')
    .select(['leads.id', 'leads.received_at', 'leads.area', 'leads.email', 'leads.payload'])
    .select(['leads.signals', 'leads.erased_at', 'leads.quarantined_at', 'leads.released_at'])
    .select(['deliveries.id as delivery_id', 'deliveries.settled_as', 'deliveries.attempts'])
    .select('lead_index.lead_id as indexed')
    .where('leads.id', 'in', ids)
    .orderBy('leads.id')
    .$if(locking === 'rows', (query) => query.forShare('leads'))
    .execute()
  const tried = leads.flatMap(({ delivery_id, attempts }) =>
    delivery_id !== null && attempts ? [delivery_id] : [],
  )
  const lastAttempts = await readLastAttempts(store, tried)
  return leads.map((lead) => ({
    ...lead,
    ...(lastAttempts.get(lead.delivery_id ?? '') ?? noAttempt),
  }))
}

const noAttempt = {
  outcome: null,
  http_status: null,
  error_code: null,
  reason: null,
  detail: null,
  started_at: null,
}

/** By their deliveries. Who has just enquired has none, and is most of what there is to follow. */
async function readLastAttempts(store: Transaction<StoreTables>, deliveries: readonly string[]) {
  if (deliveries.length === 0) return new Map<string, never>()
  const rows = await store
    .selectFrom('attempts')
    .select([
      'delivery_id',
      'outcome',
      'http_status',
      'error_code',
      'reason',
      'detail',
      'started_at',
    ])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select((of) =>
          of
            .selectFrom('attempts as tried')
            .select('tried.id')
            .whereRef('tried.delivery_id', '=', 'deliveries.id')
            .orderBy('tried.started_at', 'desc')
            .orderBy('tried.id', 'desc')
            .limit(1)
            .as('last'),
        )
        .where('deliveries.id', 'in', deliveries),
    )
    .execute()
  return new Map(rows.map(({ delivery_id, ...attempt }) => [delivery_id, attempt]))
}

async function writeEntries(
  store: Transaction<StoreTables>,
  entries: readonly IndexEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const groups = await keepGroups(
    store,
    entries.flatMap(({ group }) => group ?? []),
  )
  const rows = entries.map(({ row, group }) => ({
    ...row,
    error_group: group === null ? null : groups.get(group.id),
  }))
  const columns = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[]
  await store
    .insertInto('lead_index')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('lead_id')
        .doUpdateSet((eb) =>
          Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .execute()
  const keys = entries.flatMap(({ row, keys }) =>
    keys.map((key) => ({ key, received_at: row.received_at, lead_id: row.lead_id })),
  )
  if (keys.length === 0) return
  await store
    .insertInto('lead_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

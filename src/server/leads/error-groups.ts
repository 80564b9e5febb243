import { createHmac } from 'node:crypto'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type {
  ErrorGroup,
  ErrorGroupKind,
  LimitedCount,
  StateAfterFailedAttempt,
} from '#domain/delivery/deliveries-view.ts'
import { extractCommonReason, makeErrorGroupId } from '#domain/delivery/error-group.ts'
import { countedRejectionCauses } from '#domain/delivery/outcome.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { countRows } from '#server/platform/database/rows.ts'
import { readSearchKeySecret } from '#server/platform/database/shared-secret.ts'
import type { IndexedStatus, StoreTables } from '#server/platform/database/tables/store-tables.ts'
import { readPayload } from './lead-payload.ts'

type QuotableAnswers = Pick<Lead, 'firstName' | 'lastName' | 'address' | 'city'>

type Group = Selectable<StoreTables['error_groups']>

/**
 * Makes the group of a lead whose last attempt failed. The group's id contains an HMAC of the response, because a
 * viewer may see the id but must not be able to confirm a guess of the response.
 * @param lead undefined if the lead cannot be read; the response is then left out, because its personal data cannot be
 *   masked
 * @param secret the store's secret
 */
function makeErrorGroup(
  {
    error,
    response,
    lead,
  }: { error: string; response: string | null; lead: QuotableAnswers | undefined },
  secret: string,
): Group {
  const words =
    response === null || lead === undefined
      ? ''
      : extractCommonReason(response, [lead.firstName, lead.lastName, lead.address, lead.city])
  const responseHash = createHmac('sha256', secret)
    .update(`words\n${words}`)
    .digest('base64url')
    .slice(0, 8)
  return { id: makeErrorGroupId(error, responseHash), error, words }
}

/** Makes the group that collects an error's further responses once there are too many groups. */
const makeOverflowGroup = ({ error }: Group): Group => ({
  id: makeErrorGroupId(error, 'rest'),
  error,
  words: '…',
})

/** The most groups. If each lead got a different response, the page would fill with groups that nobody reads. */
export const maxErrorGroups = 300

/**
 * Stores new groups up to the limit, and puts further responses into one overflow group per error. If the table is
 * full, groups without leads are deleted first.
 * @returns for each given group, the id of the group that counts its leads
 */
async function storeGroups(
  db: Kysely<StoreTables>,
  given: readonly Group[],
): Promise<ReadonlyMap<string, string>> {
  const groups = [...new Map(given.map((group) => [group.id, group])).values()]
  const ids = groups.map(({ id }) => id)
  const known = await db.selectFrom('error_groups').select('id').where('id', 'in', ids).execute()
  const unknown = groups.filter(({ id }) => !known.some((one) => one.id === id))
  const countGroups = () => countRows(db.selectFrom('error_groups'))
  if (unknown.length > 0 && (await countGroups()) + unknown.length > maxErrorGroups) {
    await deleteUnusedErrorGroups(db)
  }
  const freeCount = unknown.length === 0 ? 0 : maxErrorGroups - (await countGroups())
  const overflowing = new Set(unknown.slice(Math.max(0, freeCount)))
  const kept = groups.map((group) => (overflowing.has(group) ? makeOverflowGroup(group) : group))
  if (unknown.length > 0) {
    await db
      .insertInto('error_groups')
      // A fixed order prevents a deadlock between two processes.
      .values(kept.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return new Map(kept.map(({ id }, index) => [ids[index] ?? id, id]))
}

const isUnused = sql<boolean>`not exists (
  select 1 from lead_index where lead_index.error_group = error_groups.id)`

/** Deletes groups without leads, because a response may name a person despite masking. */
export async function deleteUnusedErrorGroups(db: Kysely<StoreTables>): Promise<void> {
  await db.deleteFrom('error_groups').where(isUnused).execute()
}

const statusOf: Readonly<Record<StateAfterFailedAttempt, IndexedStatus>> = {
  waiting: 'owed',
  dead: 'dead',
  rejected: 'rejected',
}

/** How many index entries the list of all groups counts at most, however the leads are spread over the groups. */
const maxCountedInAll = 100_000

interface GroupCountRow extends Group {
  readonly status: IndexedStatus
  readonly n: number
  readonly first_at: number
  readonly last_at: number
  readonly example: string
}

/** Lists the groups that have leads, the latest attempt first. For each group, reads a limited part of one sorted index. */
export async function listErrorGroups(db: Kysely<StoreTables>): Promise<readonly ErrorGroup[]> {
  const groups = await db.selectFrom('error_groups').select('id').execute()
  if (groups.length === 0) return []
  const countedTo = Math.max(300, Math.floor(maxCountedInAll / groups.length))
  const found = sql`lead_index.error_group = g.id and lead_index.status = s.status`
  const firstBy = (column: string, order: 'asc' | 'desc') =>
    sql`(select ${sql.ref(column)} from lead_index where ${found}
      order by failed_at ${sql.raw(order)}, lead_id ${sql.raw(order)} limit 1)`
  const statuses = Object.values(statusOf).map((status) => sql`select ${sql.lit(status)} as status`)
  const { rows } = await sql<GroupCountRow>`
    select * from (
      select g.id, g.error, g.words, s.status,
        (select count(*) from (select 1 as one from lead_index where ${found} limit ${countedTo + 1}) as counted) as n,
        ${firstBy('failed_at', 'asc')} as first_at,
        ${firstBy('failed_at', 'desc')} as last_at,
        ${firstBy('lead_id', 'desc')} as example
      from error_groups as g cross join (${sql.join(statuses, sql` union all `)}) as s
    ) as lines where n > 0`.execute(db)
  return [...Map.groupBy(rows, (row) => `${findKind(row)} ${row.id}`).values()]
    .map((lines) => toGroup(lines, countedTo))
    .toSorted((one, other) => other.lastAt - one.lastAt)
}

/** A retried lead stays with the rejections until its next attempt, and a lead settled as rejected is no error. */
const findKind = ({ error, status }: Pick<GroupCountRow, 'error' | 'status'>): ErrorGroupKind =>
  status === 'rejected' || countedRejectionCauses.some((cause) => cause === error)
    ? 'rejections'
    : 'errors'

function toGroup(lines: readonly GroupCountRow[], countedTo: number): ErrorGroup {
  const last = lines.reduce((latest, line) => (line.last_at > latest.last_at ? line : latest))
  const counted = (state: StateAfterFailedAttempt): LimitedCount => {
    const n = Number(lines.find(({ status }) => status === statusOf[state])?.n ?? 0)
    return { count: Math.min(n, countedTo), isAll: n <= countedTo }
  }
  return {
    kind: findKind(last),
    id: last.id,
    error: last.error,
    words: last.words,
    leads: { waiting: counted('waiting'), dead: counted('dead'), rejected: counted('rejected') },
    firstAt: Math.min(...lines.map(({ first_at }) => first_at)),
    lastAt: last.last_at,
    example: last.example,
  }
}

/**
 * Assigns leads whose last attempt failed to the group of their error, in the transaction that records the attempts.
 * Database triggers have already written the error to the lead's index row.
 */
export async function assignErrorGroups(
  tx: Transaction<StoreTables>,
  leadIds: readonly string[],
): Promise<void> {
  if (leadIds.length === 0) return
  const failed = await tx
    .selectFrom('lead_index')
    .innerJoin('leads', 'leads.id', 'lead_index.lead_id')
    .innerJoin('deliveries', 'deliveries.lead_id', 'lead_index.lead_id')
    .select(['lead_index.lead_id', 'lead_index.error', 'leads.payload'])
    .select((eb) =>
      eb
        .selectFrom('attempts')
        .select('detail')
        .whereRef('delivery_id', '=', 'deliveries.id')
        .orderBy('started_at', 'desc')
        .orderBy('attempts.id', 'desc')
        .limit(1)
        .as('response'),
    )
    .where('lead_index.lead_id', 'in', leadIds)
    .where('lead_index.error', 'is not', null)
    .execute()
  if (failed.length === 0) return
  const secret = await readSearchKeySecret(tx)
  const groups = failed.flatMap(({ lead_id, error, response, payload }) => {
    if (error === null) return []
    const lead = readPayload(payload).answers
    return [{ lead_id, group: makeErrorGroup({ error, response, lead }, secret) }]
  })
  const kept = await storeGroups(
    tx,
    groups.map(({ group }) => group),
  )
  const byGroup = Map.groupBy(groups, ({ group }) => kept.get(group.id) ?? group.id)
  for (const [error_group, leads] of byGroup) {
    const ids = leads.map(({ lead_id }) => lead_id)
    await tx.updateTable('lead_index').set({ error_group }).where('lead_id', 'in', ids).execute()
  }
}

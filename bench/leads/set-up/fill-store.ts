import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openStore } from '../../../src/server/store/open-store.ts'
import { runStatements } from '../../../tests/postgres/run-statements.ts'
import { exampleArrival } from '../../../tests/store/example-arrival.ts'
import type { LeadStore } from './lead-store.ts'

/** The number of leads in the store. */
export interface Filling {
  /** How many of the oldest are delivered. */
  readonly delivered: number
  /** How many are due since their receipt, oldest first. */
  readonly waiting: number
  /** The age of the newest lead, in milliseconds. */
  readonly ageMs?: number
}

/** Expressions that the two databases spell differently. */
interface Words {
  /** A table with the numbers from 1 to `count` in the column `n`. */
  readonly series: (count: number) => string
  readonly twelveHexDigits: string
  readonly randomKey: string
  readonly randomHash: string
}

const sqliteWords: Words = {
  series: (count) =>
    `(with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count}) select n from series)`,
  twelveHexDigits: `printf('%012x', n)`,
  randomKey: 'lower(hex(randomblob(18)))',
  randomHash: 'lower(hex(randomblob(32)))',
}

const postgresWords: Words = {
  series: (count) => `generate_series(1, ${count}) as series(n)`,
  twelveHexDigits: `lpad(to_hex(n), 12, '0')`,
  randomKey: 'gen_random_uuid()::text',
  randomHash: `encode(sha256(gen_random_uuid()::text::bytea), 'hex')`,
}

/**
 * Fills an empty store with copies of one lead within the database, because a million leads through the API take
 * minutes.
 */
export async function fillStore({ settings }: LeadStore, filling: Filling): Promise<void> {
  const store = await openStore(settings)
  await store.intake.accept(exampleArrival())
  await store.close()
  if (settings.databaseUrl === undefined) await fillSqlite(settings.dataDir, filling)
  else await fillPostgres(settings.databaseUrl, filling)
}

export interface SqliteOrder {
  readonly file: string
  readonly statements: readonly string[]
}

async function fillSqlite(dataDir: string, filling: Filling): Promise<void> {
  const child = fork(new URL('./fill-sqlite-process.ts', import.meta.url))
  const statements = copies(sqliteWords, filling)
  child.send({ file: join(dataDir, 'leads.sqlite'), statements } satisfies SqliteOrder)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the store could not be filled')
}

async function fillPostgres(url: string, filling: Filling): Promise<void> {
  // Without triggers, PostgreSQL does not check foreign keys row by row.
  const statements = ['set session_replication_role = replica', ...copies(postgresWords, filling)]
  await runStatements(url, statements.join(';\n'))
  // Otherwise autovacuum and the checkpointer would do this during a measurement.
  await runStatements(url, 'vacuum (analyze)')
  await runStatements(url, 'checkpoint')
}

/** Ids grow with time like UUIDv7; keys and hashes are random, as in a real store. */
function copies(words: Words, { delivered, waiting, ageMs = 60_000 }: Filling): string[] {
  const count = delivered + waiting
  const series = words.series(count)
  const id = `'01900000-0000-7000-8000-' || ${words.twelveHexDigits}`
  const receivedAt = `${Date.now() - ageMs - count} + n`
  const isDelivered = `n <= ${delivered}`
  return [
    'create temporary table example as select leads.*, consents.* from leads, consents',
    ...['deliveries', 'enquirers', 'consents', 'leads'].map((table) => `delete from ${table}`),
    `insert into leads (id, idempotency_key, same_enquiry_hash, received_at, area, email, payload)
     select ${id}, ${words.randomKey}, ${words.randomHash}, ${receivedAt}, area, 'copy-' || n || '@example.com', payload
     from ${series}, example`,
    `insert into consents (lead_id, disclosure_hash, agreed_at, ip, user_agent, page_url)
     select ${id}, disclosure_hash, ${receivedAt}, ip, user_agent, page_url from ${series}, example`,
    `insert into enquirers (same_enquiry_hash, lead_id, received_at)
     select same_enquiry_hash, id, received_at from leads`,
    `insert into deliveries (id, lead_id, created_at, attempts, next_at, settled_as, settled_at)
     select ${id}, ${id}, ${receivedAt}, case when ${isDelivered} then 1 else 0 end, ${receivedAt},
       case when ${isDelivered} then 'delivered' end, case when ${isDelivered} then ${receivedAt} + 1000 end
     from ${series}`,
    `insert into attempts (id, delivery_id, started_at, duration_ms, outcome, http_status)
     select ${id}, ${id}, ${receivedAt}, 1000, 'delivered', 200 from ${series} where ${isDelivered}`,
    ...['leads_to_index', 'lead_keys', 'lead_index'].map((table) => `delete from ${table}`),
    `insert into lead_index (lead_id, received_at, status, area, attempts)
     select leads.id, received_at, coalesce(settled_as, 'owed'), area, attempts
     from leads inner join deliveries on deliveries.lead_id = leads.id`,
  ]
}

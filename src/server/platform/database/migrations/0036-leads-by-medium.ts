import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether a lead's last touch has a medium or a content, which the columns lack until code has read the lead. */
const isNamed = (payload: string): string =>
  `(${payload} like '%"last":{%"utm_medium":%' or ${payload} like '%"last":{%"utm_content":%')`

const columns = ['medium', 'content', 'medium_key', 'content_key']

const forget = `update lead_index set ${columns.map((column) => `${column} = null`).join(', ')}
  where lead_id = new.id;`

/** A lead that a release before 0.3.0 stores has no index row yet: the trigger `lead_inserted` queues it. */
const queue = `insert into leads_to_index (lead_id) select lead_id from lead_index
  where lead_id = new.id and medium_key is null and content_key is null on conflict do nothing;`

/**
 * Lets the funnel count leads by medium and content. Code fills the columns of earlier leads, because only code finds
 * personal data in a value, and of the leads that the previous release stores beside this one.
 */
export const leadsByMedium: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const makeTrigger = (name: string, event: string, condition: string, body: string) =>
      isPostgres
        ? [
            `create function ${name}() returns trigger language plpgsql
              set enable_seqscan = off as $$begin ${body} return null; end$$`,
            `create trigger ${name} after ${event} on leads
              for each row when (${condition}) execute function ${name}()`,
          ]
        : [`create trigger ${name} after ${event} on leads when ${condition} begin ${body} end`]
    const statements = [
      ...columns.map((column) => `alter table lead_index add column ${column} text`),
      ...['medium_key', 'content_key'].map(
        (
          column,
        ) => `create index lead_index_${column} on lead_index (${column}, received_at, lead_id)
          where ${column} is not null`,
      ),
      `insert into leads_to_index (lead_id) select id from leads
        where erased_at is null and ${isNamed('payload')} on conflict do nothing`,
      ...makeTrigger(
        'lead_medium_erased',
        'update of erased_at',
        'new.erased_at is not null',
        forget,
      ),
      ...makeTrigger('lead_medium_inserted', 'insert', isNamed('new.payload'), queue),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

import { type Kysely, PostgresAdapter, sql } from 'kysely'

const message = 'the audit is append-only'

/** From now on the database refuses to change or remove a row of it, whoever asks. */
export async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`
      create or replace function refuse_change() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception '${message}'; end`)}`.execute(db)
    const named = (change: string) => sql.ref(`${table}_no_${change}`)
    await sql`
      create trigger ${named('change')} before update or delete on ${sql.table(table)}
      for each row execute function refuse_change()`.execute(db)
    await sql`
      create trigger ${named('truncate')} before truncate on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db)
    return
  }
  for (const change of ['update', 'delete']) {
    await sql`
      create trigger ${sql.ref(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
      begin select raise(abort, ${sql.lit(message)}); end`.execute(db)
  }
}

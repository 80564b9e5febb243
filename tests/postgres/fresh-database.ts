import { randomBytes } from 'node:crypto'
import { runStatements } from './run-statements.ts'

export interface FreshDatabase {
  readonly url: string
  /** Ends all connections, and empties the database for reuse. */
  drop(): Promise<void>
}

/** Emptied databases by server: creating one takes several times as long as emptying one. */
const emptied = new Map<string, string[]>()

/**
 * An empty database for one test file.
 * @param serverUrl any database on the server, with a user who may create others
 */
export async function freshDatabase(serverUrl: string): Promise<FreshDatabase> {
  const free = emptied.get(serverUrl) ?? []
  emptied.set(serverUrl, free)
  const url = free.pop() ?? (await createDatabase(serverUrl))
  return {
    url,
    drop: async () => {
      await emptyDatabase(url)
      free.push(url)
    },
  }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatements(serverUrl, `create database ${name}`)
  return Object.assign(new URL(serverUrl), { pathname: name }).href
}

/** Removes everything from the database, including its settings. */
export async function emptyDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await runStatements(url, `alter database ${name} reset all`)
  await runStatements(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid();
     drop schema public cascade;
     create schema public`,
  )
}

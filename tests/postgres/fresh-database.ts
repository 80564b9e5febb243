import { randomBytes } from 'node:crypto'
import { runStatements } from './run-statements.ts'

export interface FreshDatabase {
  readonly url: string
  /** Leaves nothing of it, and ends whoever is still connected. */
  drop(): Promise<void>
}

/** Emptied ones by their server: to make one costs several times as much as to empty it. */
const emptied = new Map<string, string[]>()

/**
 * A database of its own for one test file, with nothing in it.
 * @param serverUrl of any database on the server, as a user who may create others
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

/** As new, with what was set for it. */
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

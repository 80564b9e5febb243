import { randomBytes } from 'node:crypto'
import { runStatements } from './run-statements.ts'

export interface FreshDatabase {
  readonly url: string
  /** Drops it, and whoever is still connected. */
  drop(): Promise<void>
}

/**
 * A database of its own for one test file.
 * @param serverUrl of any database on the server, as a user who may create others
 */
export async function freshDatabase(serverUrl: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runStatements(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = name
  return {
    url: url.href,
    drop: () => runStatements(serverUrl, `drop database if exists ${name} with (force)`),
  }
}

import { queryLimitMs } from '../../faults/query-too-long-error.ts'

/** How long each part of a statement's or a transaction's life may take on PostgreSQL, in milliseconds. */
export interface Patience {
  /** For a new connection, TLS and password included, and for a place where all are taken. */
  readonly connect: number
  /** Without a byte of the answer: then the line counts as dead. */
  readonly answer: number
  /** For a whole statement, which the server then stops; undefined where it may take as long as `answer` lets it. */
  readonly statement?: number
  /** Waiting for rows that others hold. Shorter than `answer`, so that the server speaks before it counts as silent. */
  readonly lock: number
  /** Between two statements of a transaction: then the server undoes it, as who began it may be gone. */
  readonly idleInTransaction: number
  /** An unused connection is kept for so long. What may be answered late had better not meet one that fell silent. */
  readonly unused: number
  /** At once; 13 in all, of which 3 are the console's. */
  readonly connections: number
}

/**
 * What visitors, deliveries and monitors wait for. A line that fell silent is met after 4 s, and what the other end of
 * it held is free by then: so there is time to meet two faults within the 15 s that a visitor's browser waits.
 */
export const quick: Patience = {
  connect: 5000,
  answer: 4000,
  lock: 3000,
  idleInTransaction: 4000,
  unused: 10_000,
  connections: 6,
}

/** What may have to look at a million rows. */
export const patient: Patience = {
  connect: 5000,
  answer: 60_000,
  lock: 10_000,
  idleInTransaction: 4000,
  unused: 1000,
  connections: 2,
}

/** What operators ask the console: a statement is stopped at the limit, and no visitor or delivery shares its connections. */
export const bounded: Patience = {
  connect: 10_000,
  answer: queryLimitMs + 3000,
  statement: queryLimitMs,
  lock: 3000,
  idleInTransaction: 4000,
  unused: 1000,
  connections: 3,
}

const quarterOfAnHour = 15 * 60_000
const unlimited = 0
const fiveMinutes = 5 * 60_000

/** The start, migrations and the move from SQLite: they wait for each other, and compute between two statements. */
export const unhurried: Patience = {
  connect: 15_000,
  answer: quarterOfAnHour,
  lock: unlimited,
  idleInTransaction: fiveMinutes,
  unused: 1000,
  // A migration asks for what is done already beside its own transaction.
  connections: 2,
}

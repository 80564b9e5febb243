/**
 * What a transaction keeps others from: SQLite's have the whole file to themselves, PostgreSQL's their rows. Where it is
 * rows, several connections claim at once and pass over each other's.
 */
export type Locking = 'rows' | 'file'

/**
 * The scope of a transaction's lock: SQLite locks the whole file, PostgreSQL the rows. SQLite's
 * have the whole file to themselves, PostgreSQL's their rows. Where it is rows, several
 * connections claim at once and pass over each other's.
 */
export type Locking = 'rows' | 'file'

import { DatabaseSync } from 'node:sqlite'
import type { SqliteOrder } from './fill-store.ts'

/** A process of its own, as SQLite gives the event loop no turn before it is done. */
process.once('message', ({ file, statements }: SqliteOrder) => {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  // One transaction into a file of nobody else's: it needs no log, and its pages stay in memory until they are full.
  db.exec('pragma journal_mode = off; pragma cache_size = -1000000')
  db.exec(['begin', ...statements, 'commit'].join(';\n'))
  db.close()
  process.disconnect?.()
})

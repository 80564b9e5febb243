import { DatabaseSync } from 'node:sqlite'
import type { SqliteOrder } from './fill-store.ts'

/** A separate process, because SQLite blocks the event loop until it has finished. */
process.once('message', ({ file, statements }: SqliteOrder) => {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  // One transaction into a file that nobody else uses: it needs no log, and its pages stay in memory until they are
  // full.
  db.exec('pragma journal_mode = off; pragma cache_size = -1000000')
  db.exec(['begin', ...statements, 'commit'].join(';\n'))
  db.close()
  process.disconnect?.()
})

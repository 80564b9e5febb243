import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Commits rows of 1 KB one by one, as durably as the product, and prints how many it committed a second. */
const [, , folder = '', durationMs] = process.argv
const db = new DatabaseSync(join(folder, 'single-commits.sqlite'))
db.exec('pragma journal_mode = wal; pragma synchronous = full')
db.exec('create table if not exists rows (id integer primary key, content text not null)')
const insert = db.prepare('insert into rows (content) values (?)')
const content = 'x'.repeat(1000)

const startedAt = performance.now()
let commits = 0
while (performance.now() - startedAt < Number(durationMs)) {
  insert.run(content)
  commits++
}
const seconds = (performance.now() - startedAt) / 1000
db.close()
process.stdout.write(String(commits / seconds))

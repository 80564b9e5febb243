import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { patience } from '#tests/patience/patience.ts'

const { file, statements }: { file: string; statements: string } = workerData
const database = new DatabaseSync(file, { timeout: patience })
try {
  database.exec(statements)
} finally {
  database.close()
}

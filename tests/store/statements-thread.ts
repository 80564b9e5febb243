import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { patience } from '#tests/patience/patience.ts'

export interface Statements {
  readonly file: string
  readonly statements: string
  /** Gets the error, or undefined once the statements have run. */
  readonly reply: MessagePort
}

parentPort?.on('message', ({ file, statements, reply }: Statements) => {
  try {
    run(file, statements)
    reply.postMessage(undefined)
  } catch (error) {
    reply.postMessage(error)
  }
})

function run(file: string, statements: string): void {
  const database = new DatabaseSync(file, { timeout: patience })
  try {
    database.exec(statements)
  } finally {
    database.close()
  }
}

import { syncBuiltinESMExports } from 'node:module'
import thread, { type MessagePort } from 'node:worker_threads'
import { bundledProgram } from './bundled-program.ts'

/** What a thread of its own would have. */
interface OfThread {
  readonly workerData: unknown
  readonly parentPort: MessagePort
}

let connections = 0

/** Runs the thread's program once for each connection: see pooled-worker.ts. */
thread.parentPort?.on('message', async (own: OfThread) => {
  process.removeAllListeners('uncaughtExceptionMonitor')
  Object.assign(thread, own)
  syncBuiltinESMExports()
  // With another address, the program runs again; the modules that it imports stay.
  await import(/* @vite-ignore */ `${bundledProgram('sqlite-thread')}?${connections++}`)
})

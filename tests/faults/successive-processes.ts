import { once } from 'node:events'
import {
  type LaunchedProduct,
  launchProcess,
  type RunningProduct,
} from '#tests/product/start-process.ts'

/** A process of an operator's set-up that is replaced by a new one whenever it ends. */
export interface SuccessiveProcesses {
  /** Starts the next process, and does not wait until it serves. */
  start(): Promise<void>
  /** The process that serves now, or the next one that will. Rejects if the process ends by itself. */
  serving(): Promise<RunningProduct>
  /** Ends the running process; resolves with its exit code, which is null if the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Kills the running process and starts no other, even if a test that timed out still asks for one. */
  endForGood(): Promise<void>
}

export function successiveProcesses(env: Readonly<Record<string, string>>): SuccessiveProcesses {
  let running: LaunchedProduct | undefined
  let next = nobodyYet()
  let serves = false
  let isOver = false

  const successive: SuccessiveProcesses = {
    start: async () => {
      if (isOver) throw new Error('The test is over.')
      const launched = await launchProcess(env)
      running = launched
      launched.ready.then(
        (product) => {
          if (launched !== running) return
          serves = true
          next.resolve(product)
        },
        (error) => launched === running && next.reject(error),
      )
    },
    serving: () => next.promise,
    end: async (signal) => {
      if (running === undefined) return null
      const { process } = running
      running = undefined
      if (serves) next = nobodyYet()
      serves = false
      if (process.exitCode !== null || process.signalCode !== null) return process.exitCode
      process.kill(signal)
      const [code] = await once(process, 'exit')
      return code
    },
    endForGood: async () => {
      isOver = true
      await successive.end('SIGKILL')
    },
  }
  return successive
}

function nobodyYet() {
  const next = Promise.withResolvers<RunningProduct>()
  // Callers that wait for the process get the rejection; without a caller it must not be unhandled.
  next.promise.catch(() => undefined)
  return next
}

import { once } from 'node:events'
import {
  type LaunchedProduct,
  launchProcess,
  type RunningProduct,
} from '#tests/product/start-process.ts'

/** One place in an operator's set-up, that one process after the other fills. */
export interface SuccessiveProcesses {
  /** Starts the next one, and does not wait for it to serve. */
  start(): Promise<void>
  /** The one that serves now; while none does, the next one that will. Rejects where it ends by itself. */
  serving(): Promise<RunningProduct>
  /** Ends the one that runs; resolves with its exit code, which is null where the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Kills the one that runs, and starts no other any more: a test that ran out of time may still try to. */
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
  // Whoever waits for it hears of the rejection; nobody has to.
  next.promise.catch(() => undefined)
  return next
}

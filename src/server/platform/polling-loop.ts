import type { FailureLog } from './observability/failure-log.ts'

export type PollingLoop = ReturnType<typeof makePollingLoop>

/**
 * Repeats work, with a pause in between, until the loop is stopped.
 * @param work resolves with the pause before the next run, in milliseconds
 * @param retryMs the pause after a failure, in milliseconds
 */
export function makePollingLoop(
  work: () => Promise<number>,
  failureLog: FailureLog,
  retryMs: number,
) {
  let isStopping = false
  let running: Promise<void> | undefined
  let wakeUp = Promise.withResolvers<void>()
  const pause = async (ms: number): Promise<void> => {
    const timer = setTimeout(wakeUp.resolve, ms)
    await wakeUp.promise
    clearTimeout(timer)
    wakeUp = Promise.withResolvers()
  }
  const runOnce = async (): Promise<number> => {
    try {
      const pauseMs = await work()
      failureLog.succeeded()
      return pauseMs
    } catch (error) {
      failureLog.failed(error)
      return retryMs
    }
  }
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const pauseMs = await runOnce()
      if (!isStopping) await pause(pauseMs)
    }
  }
  return {
    start: (): void => {
      running ??= run()
    },
    /** Ends the current pause. If the work is in progress, the next pause is skipped. */
    wake: (): void => wakeUp.resolve(),
    /** Stops the loop, and waits for the end of the work in progress. */
    stop: async (): Promise<void> => {
      isStopping = true
      wakeUp.resolve()
      await running
    },
    /** Pauses within the work. A call of `wake` or `stop` ends the pause early. */
    pause,
    /** Whether the loop is stopping. Long work checks this value, and ends early. */
    isStopping: () => isStopping,
  }
}

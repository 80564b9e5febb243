import type { Socket } from 'node:net'

/** A timer that is so much too late tells of a machine, or a process, that stood still, in milliseconds. */
const standstill = 1000

/**
 * Calls `onSilence` once nothing has come from the other end for so long, in milliseconds. What came while this process
 * itself stood still is read first; and where the whole machine did, the other end was as silent as we were deaf: it has
 * its time once more.
 * @returns what ends the watch
 */
export function watchForSilence(
  line: Pick<Socket, 'bytesRead'>,
  afterMs: number,
  onSilence: () => void,
): () => void {
  let heard = line.bytesRead
  let isExcused = false
  let isOver = false
  let { timer, dueAt } = wait()

  function wait() {
    return { timer: setTimeout(look, afterMs), dueAt: performance.now() + afterMs }
  }
  function look(): void {
    // Once: a process that is late each time would else take a line that is dead for a living one for ever.
    const stoodStill = !isExcused && performance.now() - dueAt > standstill
    // The event loop comes to its sockets between a timer and this.
    setImmediate(() => {
      if (isOver) return
      if (line.bytesRead === heard && !stoodStill) return onSilence()
      isExcused = line.bytesRead === heard
      heard = line.bytesRead
      ;({ timer, dueAt } = wait())
    })
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

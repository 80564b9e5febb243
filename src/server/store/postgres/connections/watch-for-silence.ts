import type { Socket } from 'node:net'

/**
 * Calls `onSilence` once nothing has come from the other end for so long, in milliseconds. What came while this process
 * itself stood still is read first.
 * @returns what ends the watch
 */
export function watchForSilence(
  line: Pick<Socket, 'bytesRead'>,
  afterMs: number,
  onSilence: () => void,
): () => void {
  let heard = line.bytesRead
  let isOver = false
  let timer = setTimeout(look, afterMs)

  function look(): void {
    // The event loop comes to its sockets between a timer and this.
    setImmediate(() => {
      if (isOver) return
      if (line.bytesRead === heard) return onSilence()
      heard = line.bytesRead
      timer = setTimeout(look, afterMs)
    })
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

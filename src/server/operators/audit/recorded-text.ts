/** Says in the audit what came of a file that is written while it is read: whole, or cut off by who read it. */
export async function* recordedText(
  write: (onProgress: (done: number) => void) => AsyncGenerator<string>,
  counted: (done: number) => string,
  onEnd: (outcome: string) => Promise<void>,
): AsyncGenerator<string> {
  let done = 0
  let isWhole = false
  try {
    yield* write((soFar) => {
      done = soFar
    })
    isWhole = true
  } finally {
    await onEnd(isWhole ? counted(done) : `cut off after ${counted(done)}`)
  }
}

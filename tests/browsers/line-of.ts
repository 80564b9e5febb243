import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/**
 * Waits for the line that a process prints when it is ready. If the process ends before, this throws an error with its
 * output.
 */
export function lineOf(
  child: ChildProcess,
  output: Readable | null,
  wanted: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = ''
    // The output is read to its end, because a full pipe would block the process.
    output?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < 100_000) said += text
      const match = wanted.exec(said)
      if (match) resolve(match)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`${child.spawnfile} ended with ${code}:\n${said}`)),
    )
  })
}

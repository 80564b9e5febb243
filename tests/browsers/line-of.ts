import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/** Waits for what a process says when it is ready. One that ends before it is an error, with what it said. */
export function lineOf(
  child: ChildProcess,
  output: Readable | null,
  wanted: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = ''
    // Read on to the end: a full pipe would halt the process.
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

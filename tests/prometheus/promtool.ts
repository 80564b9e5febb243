import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { debianProgram } from '#tests/programs/debian-program.ts'

/** Runs Prometheus' own tool; resolves with what it says, and with `FAILED` in it where it is not content. */
export async function promtool(...args: readonly string[]): Promise<string> {
  return promisify(execFile)(debianProgram('promtool'), [...args]).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => `FAILED\n${stdout}${stderr}`,
  )
}

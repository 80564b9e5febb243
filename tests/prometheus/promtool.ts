import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { toolPath } from '#tests/programs/tool-path.ts'

/** Runs Prometheus' own tool; resolves with what it says, and with `FAILED` in it where it is not content. */
export async function promtool(...args: readonly string[]): Promise<string> {
  return promisify(execFile)(toolPath('promtool'), [...args]).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => `FAILED\n${stdout}${stderr}`,
  )
}

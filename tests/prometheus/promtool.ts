import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { toolPath } from '#tests/programs/tool-path.ts'

/** Runs Prometheus' own tool, and resolves with its output, which contains `FAILED` after a failure. */
export async function promtool(...args: readonly string[]): Promise<string> {
  return promisify(execFile)(toolPath('promtool'), [...args]).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => `FAILED\n${stdout}${stderr}`,
  )
}

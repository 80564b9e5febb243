import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'

/** As scripts/setup/promtool.mjs has found it. */
const kept = resolve(import.meta.dirname, '../../node_modules/.cache/promtool.json')

const program = (): string => env.PROMTOOL_PATH || JSON.parse(readFileSync(kept, 'utf8')).path

/** Runs Prometheus' own tool; resolves with what it says, and with `FAILED` in it where it is not content. */
export async function promtool(...args: readonly string[]): Promise<string> {
  return promisify(execFile)(program(), [...args]).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => `FAILED\n${stdout}${stderr}`,
  )
}

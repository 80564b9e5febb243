import { stdout } from 'node:process'
import type { Check } from './checks.ts'
import { OutputTurns } from './output-turns.ts'
import { hasTool, runCheck } from './run-check.ts'
import type { Result } from './summary.ts'

/** A third finds no processor time that two have left. */
const AT_ONCE = 2

/**
 * Begins the checks in their order, the next one whenever one has ended.
 * @param isStopped asked before each: the rest is then left
 * @returns of those that were run, in their order
 */
export async function runChecks(
  checks: readonly Check[],
  env: NodeJS.ProcessEnv,
  isStopped: () => boolean,
): Promise<readonly Result[]> {
  const turns = new OutputTurns(stdout)
  const results = new Map<Check, Result>()
  const queue = [...checks]
  const runInTurn = async () => {
    for (let check = queue.shift(); check && !isStopped(); check = queue.shift()) {
      const { name, heading, tool } = check
      const turn = turns.next()
      turn.write(`\n== ${heading}\n`)
      if (hasTool(check)) {
        const startedAt = performance.now()
        const verdict = await runCheck(check, env, turn)
        const seconds = (performance.now() - startedAt) / 1000
        results.set(check, { name, seconds, ...verdict })
        turn.write(`-- ${name}: ${seconds.toFixed(1)} s\n`)
      } else {
        turn.write(`Its tool, ${tool}, is missing: delete node_modules and run npm test.\n`)
      }
      turn.end()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runInTurn))
  return checks.flatMap((check) => results.get(check) ?? [])
}

import { parentPort, workerData } from 'node:worker_threads'
import { type Attack, attacksOn } from './attack-strings.ts'
import type { Pattern } from './patterns-in-source.ts'

// A thread of its own: whoever waits for it ends it where a pattern does not come to an end.

export interface TimedPattern extends Pattern {
  /** The attack under which it took more than its share; undefined where none did. */
  readonly slowWith?: string
  /** What the thread has used by then, in milliseconds. */
  readonly usedMs: number
}

/** Short ones first: what takes twice as long with each character comes to an end with them alone. */
const lengths = [24, 1024, 4 * 1024, 16 * 1024]

/** Milliseconds of the processor. A linear pattern takes 16 KB in 0.1, one that takes the square of it in 10 to 200. */
const unsuspicious = 5
/** Nothing that is linear takes as long, in milliseconds, however busy the machine is. */
const mostMs = 200
/** So long is measured, in milliseconds: the system counts a thread's time in ticks of up to 4. */
const measuredMs = 40
/** Of a text in one and in four parts: linear, both take the same; square, the one takes four times as long. */
const mostGain = 2.2

/** Whatever else takes time, a machine that stands still or a neighbour, does not take it each time. */
const measurements = 3

/** The thread's own time, so that others who use the processor do not count; the least of a few where it is suspicious. */
function cpuMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < measurements && least >= unsuspicious; turn++) {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

function repeat(run: () => void, times: number): void {
  for (let time = 0; time < times; time++) run()
}

const textOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix

function isSlow(expression: RegExp, attack: Attack): boolean {
  const runOn = (length: number) => {
    const text = textOf(attack, length)
    return () => {
      expression.lastIndex = 0
      if (expression.global) text.replace(expression, '')
      else expression.test(text)
    }
  }
  return lengths.some((length) => {
    const once = cpuMs(runOn(length))
    if (once < unsuspicious) return false
    if (once > mostMs) return true
    const times = Math.ceil(measuredMs / once)
    const whole = cpuMs(() => repeat(runOn(length), times))
    const inParts = cpuMs(() => repeat(runOn(length / 4), 4 * times))
    return whole / times >= unsuspicious && whole > inParts * mostGain
  })
}

for (const { place, pattern, flags } of workerData as readonly Pattern[]) {
  const expression = new RegExp(pattern, flags)
  const attack = attacksOn(pattern, flags).find((candidate) => isSlow(expression, candidate))
  const slowWith = attack && JSON.stringify(attack)
  const { user, system } = process.threadCpuUsage()
  const usedMs = (user + system) / 1000
  parentPort?.postMessage({ place, pattern, flags, slowWith, usedMs } satisfies TimedPattern)
}

import { parentPort, workerData } from 'node:worker_threads'
import { type Attack, attacksOn } from './attack-strings.ts'
import type { Pattern } from './patterns-in-source.ts'

// This file runs in a thread, which the test ends if a pattern does not finish.

export interface TimedPattern extends Pattern {
  /** The attack that took more than linear time; undefined if none did. */
  readonly slowWith?: string
  /** The thread's processor time so far, in milliseconds. */
  readonly usedMs: number
}

/** Short lengths come first, because exponential patterns are slow even for them. */
const lengths = [24, 1024, 4 * 1024, 16 * 1024]

/** Milliseconds of processor time. A linear pattern takes 0.1 ms for 16 KB, and a quadratic one 10 to 200 ms. */
const linearMs = 5
/** No linear pattern takes as long, in milliseconds, however busy the machine is. */
const mostMs = 200
/** How long to measure, in milliseconds, because the system counts a thread's time in ticks of up to 4 ms. */
const measurementMs = 40
/**
 * Compares a text as a whole and in four parts: both take equally long for a linear pattern, and the whole takes four
 * times as long for a quadratic one.
 */
const mostGain = 2.2

/** A stalled or busy machine does not slow down every measurement. */
const measurements = 3

/**
 * Measures the thread's own processor time, so that other processes do not count. If the time is suspicious, the lowest
 * of several measurements counts.
 */
function cpuMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < measurements && least >= linearMs; turn++) {
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
    if (once < linearMs) return false
    if (once > mostMs) return true
    const times = Math.ceil(measurementMs / once)
    const whole = cpuMs(() => repeat(runOn(length), times))
    const inParts = cpuMs(() => repeat(runOn(length / 4), 4 * times))
    return whole / times >= linearMs && whole > inParts * mostGain
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

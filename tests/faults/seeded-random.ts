import { createHash, randomInt } from 'node:crypto'

/** Printed with the figures; FAULTS_SEED sets it, so that a run's random moments can be had again. */
export const seed = process.env.FAULTS_SEED ?? String(randomInt(2 ** 31))

/** Numbers from `from` up to `to`, the same for the same seed and name. */
export function seededRandom(name: string): (from: number, to: number) => number {
  let drawn = 0
  return (from, to) => {
    const hash = createHash('sha256').update(`${seed} ${name} ${drawn++}`).digest()
    return from + (hash.readUInt32BE() / 2 ** 32) * (to - from)
  }
}

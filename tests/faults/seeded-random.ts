import { createHash, randomInt } from 'node:crypto'

/** The seed of a run's random moments, printed with the figures. FAULTS_SEED repeats a run. */
export const seed = process.env.FAULTS_SEED ?? String(randomInt(2 ** 31))

/** Numbers from `from` up to `to`, which repeat for the same seed and name. */
export function seededRandom(name: string): (from: number, to: number) => number {
  let drawn = 0
  return (from, to) => {
    const hash = createHash('sha256').update(`${seed} ${name} ${drawn++}`).digest()
    return from + (hash.readUInt32BE() / 2 ** 32) * (to - from)
  }
}

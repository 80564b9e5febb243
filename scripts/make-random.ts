/**
 * Makes a generator of numbers that look random and are the same in each run (Park and Miller).
 * @param seed from 1 to 2,147,483,646
 */
export function makeRandom(seed: number) {
  let state = seed
  /** Returns a number between 0 and 1. */
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return {
    next,
    integer: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    pick: <Value>(values: readonly Value[]): Value =>
      values[Math.floor(next() * values.length)] as Value,
    happens: (chance: number) => next() < chance,
  }
}

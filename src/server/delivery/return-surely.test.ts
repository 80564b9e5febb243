import { expect, it } from 'vitest'
import { returnSurely } from './return-surely.ts'

/** What is said of each try is what the store says, and then, again and again, the last of it. */
async function returnTo(said: readonly (boolean | 'away')[], ending = new AbortController()) {
  const asked: number[] = []
  let complaints = 0
  const returnLeases = async (now: number) => {
    const answer = said[Math.min(asked.push(now), said.length) - 1] ?? true
    if (answer === 'away') throw new Error('the store is away')
    return answer
  }
  let time = 0
  const onNotReturned = () => {
    if (++complaints > 5) ending.abort()
  }
  const order = { clock: () => ++time, signal: ending.signal, onNotReturned, pauseMs: 1 }
  await returnSurely({ returnLeases }, order)
  return { asked, complaints }
}

it('asks once where nothing is left', async () => {
  expect(await returnTo([true])).toEqual({ asked: [1], complaints: 0 })
})

it('goes on while a claim may take effect, and while the store is away, each time as late as it is', async () => {
  expect(await returnTo([false, 'away', true])).toEqual({ asked: [1, 2, 3], complaints: 1 })
})

it('ends where the waiting is ended', async () => {
  expect((await returnTo(['away'])).complaints).toBe(6)
})

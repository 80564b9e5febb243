import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type GateState, openGate } from '#domain/delivery/gate.ts'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { deliveries } from '#tests/delivery/start-worker.ts'
import type { DeliveryGate } from '../use-cases/delivery-gate.ts'
import { Gatekeeper } from './gatekeeper.ts'

const [delivery] = deliveries(1)
const failure: AttemptOutcome = { name: 'broken', httpStatus: 500, reason: 'server-error' }
const rejection: AttemptOutcome = { name: 'rejected', httpStatus: 200 }
const outage = { since: 0, probeAt: 1 }

/** A gate that a test moves by hand, and a keeper that looks at it every time. */
function keptGate(readEvery = 0) {
  let state: GateState = openGate
  const calls: string[] = []
  const lines: { level: number; msg: string }[] = []
  const answer = (name: string, next: GateState) => async () => {
    calls.push(name)
    state = next
    return true
  }
  const gate: DeliveryGate = {
    read: async () => state,
    pause: async ({ by, reason, at }) => {
      calls.push(`pause by ${by}`)
      state = { ...state, pause: { by, reason, since: at, probeAt: at } }
      return true
    },
    resume: answer('resume', openGate),
    answered: answer('answered', openGate),
    beginOutage: async ({ since }) => {
      calls.push(`outage since ${since}`)
      state = { ...state, outage }
      return true
    },
    probeFailed: async ({ lease }) => void calls.push(`probe ${lease} failed`),
    probeNow: async () => void calls.push('probe now'),
  }
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const keeper = new Gatekeeper({ gate, clock: () => 7, log }, readEvery)
  let startedAt = 100
  return {
    keeper,
    gate,
    calls,
    said: () => lines.map(({ msg }) => msg),
    move: (next: GateState) => {
      state = next
    },
    hear: async (...outcomes: AttemptOutcome[]) => {
      for (const outcome of outcomes) {
        if (delivery) await keeper.hear({ delivery, startedAt, endedAt: startedAt + 1, outcome })
        startedAt++
      }
    },
  }
}

const times = (count: number, outcome: AttemptOutcome) =>
  Array.from({ length: count }, () => outcome)

describe('an outage', () => {
  it('begins with the tenth failure in a row, as of the first', async () => {
    const { keeper, calls, hear } = keptGate()
    await hear(...times(9, failure), rejection, ...times(9, failure))
    expect(calls).toEqual([])
    expect(keeper.isOpen()).toBe(true)
    await hear(failure)
    expect(calls).toEqual(['outage since 110'])
    expect(keeper.isOpen()).toBe(false)
    expect(await keeper.passage()).toEqual({ kind: 'probe', at: 1 })
  })

  it('counts no refusal, and every kind of failure', async () => {
    const { calls, hear } = keptGate()
    await hear(
      ...times(3, { name: 'busy', httpStatus: 429 }),
      ...times(3, { name: 'unreachable', reason: 'no-connection' }),
      ...times(3, { name: 'unknown', reason: 'timeout' }),
    )
    expect(calls).toEqual([])
    await hear(failure)
    expect(calls).toHaveLength(1)
  })

  it('ends with any answer, and counts anew', async () => {
    const { keeper, calls, hear } = keptGate()
    await hear(...times(10, failure), failure, rejection)
    expect(calls.slice(1)).toEqual(['probe lease failed', 'answered'])
    expect(keeper.isOpen()).toBe(true)
    await hear(...times(9, failure))
    expect(keeper.isOpen()).toBe(true)
  })

  it('is said once when it begins and once when it ends', async () => {
    const { hear, said } = keptGate()
    await hear(...times(15, failure), rejection, rejection)
    expect(said()).toEqual([
      'the distributor does not answer: leads wait, one delivery at a time is tried',
      'deliveries go on',
    ])
  })
})

it('a refusal pauses at once, and tells the operator what to look at', async () => {
  const { keeper, gate, hear, said } = keptGate()
  await hear({ name: 'refused', httpStatus: 401 })
  expect(keeper.isOpen()).toBe(false)
  const { pause } = await gate.read()
  expect(pause).toMatchObject({ by: 'refusal' })
  expect(pause?.reason).toMatch(/HTTP 401.*DISTRIBUTOR_URL/)
  expect(pause?.reason).not.toContain('key')
  expect(said()).toHaveLength(1)
})

it('sees what others do to the gate, and says it', async () => {
  const { keeper, move, said } = keptGate()
  move({ pause: { by: 'operator', reason: 'holiday', since: 5, probeAt: null }, outage: null })
  expect(await keeper.passage()).toEqual({ kind: 'shut' })
  move(openGate)
  expect(await keeper.passage()).toEqual({ kind: 'open' })
  expect(said()).toEqual(['deliveries paused: leads are stored and wait', 'deliveries go on'])
})

it('looks no more often than it should', async () => {
  const { keeper, move } = keptGate(60_000)
  await keeper.passage()
  move({ pause: null, outage })
  expect(await keeper.passage()).toEqual({ kind: 'open' })
})

it('a worker that starts may try at once', async () => {
  const { keeper, calls } = keptGate()
  await keeper.start()
  expect(calls).toEqual(['probe now'])
})

it('goes on as before while the store is away', async () => {
  const { keeper, gate, hear } = keptGate()
  const read = gate.read
  await hear(...times(10, failure))
  Object.assign(gate, { read: () => Promise.reject(new Error('the disk is full')) })
  await hear(rejection)
  expect(await keeper.passage()).toEqual({ kind: 'probe', at: 1 })
  Object.assign(gate, { read })
  expect(await keeper.passage()).toEqual({ kind: 'open' })
})

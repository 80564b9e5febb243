import { pino } from 'pino'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import type { ClaimedDelivery } from '#server/delivery/claim-deliveries.ts'
import {
  type AttemptWithBreakerState,
  makeAttemptRunner,
  makeDeliveryBreaker,
  makeLeadSender,
} from '#server/delivery/delivery-attempts.ts'
import type { DistributorClient } from '#server/delivery/distributor-client.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { SimulatedStore } from './simulated-store.ts'

/** Milliseconds. */
const leaseMs = 60_000
const usualCallMs = 50

const schedule = [5, 30, 300, 1800, 7200, 18_000, 36_000, 36_000].map((s) => s * 1000)
export interface Scene {
  /** When each lead is received, in milliseconds from the start, in ascending order. A lead's id is its index. */
  readonly leads: readonly number[]
  /** The distributor's answer, given the time at which the call ends. */
  readonly answers: (leadId: string, now: number) => AttemptOutcome
  /** How long a call takes, in milliseconds; 50 if undefined. */
  readonly callMs?: (leadId: string) => number
  /** The seed for the choice of probes. */
  readonly seed?: number
  readonly workers: number
  readonly concurrency: number
  /** The interval, in milliseconds, at which every worker restarts; undefined for never. */
  readonly restartsEvery?: number
  /** The simulation ends at this time in milliseconds, or when every lead is settled. */
  readonly until: number
}

export interface Call {
  readonly leadId: string
  readonly at: number
  readonly outcome: AttemptOutcome['name']
}

/** Simulates workers that deliver as the worker does, with the product's own breaker. Hours pass in milliseconds. */
export async function simulateDeliveries(scene: Scene) {
  const store = new SimulatedStore(scene.seed ?? 1)
  const calls: Call[] = []
  let now = 0
  const newWorker = () => startWorker({ store, scene, clock: () => now, calls })
  let workers = await Promise.all(Array.from({ length: scene.workers }, newWorker))
  let [received, startedAt] = [0, 0]
  while (now <= scene.until) {
    while ((scene.leads[received] ?? Number.POSITIVE_INFINITY) <= now) {
      const [id, at] = [String(received), scene.leads[received] ?? 0]
      store.receive({ id, at })
      received++
    }
    for (const worker of workers) await worker.work()
    if (received === scene.leads.length && store.deliveries.every(({ settledAs }) => settledAs))
      break
    if (scene.restartsEvery !== undefined && now - startedAt >= scene.restartsEvery) {
      for (const worker of workers) await worker.stop()
      workers = await Promise.all(workers.map(newWorker))
      startedAt = now
    }
    now = Math.min(
      store.nextAfter(now),
      scene.leads[received] ?? Number.POSITIVE_INFINITY,
      ...workers.map((worker) => worker.nextAt()),
      startedAt + (scene.restartsEvery ?? Number.POSITIVE_INFINITY),
    )
  }
  return { calls, deliveries: store.deliveries, endedAt: now }
}

interface WorkerParts {
  readonly store: SimulatedStore
  readonly scene: Scene
  readonly clock: () => number
  readonly calls: Call[]
}

interface UnderWay {
  readonly delivery: ClaimedDelivery
  readonly endsAt: number
  readonly attempt: Promise<AttemptWithBreakerState>
}

async function startWorker({ store, scene, clock, calls }: WorkerParts) {
  const { queue } = store
  const log = pino({ level: 'silent' })
  const storeFailureLog = makeFailureLog(log, { begins: '', ends: '' })
  const breaker = makeDeliveryBreaker({ store: store.breaker, clock, log, storeFailureLog }, 0)
  const distributor: DistributorClient = {
    send: async (_, leadId) => {
      await ends.get(leadId)?.promise
      const outcome = scene.answers(leadId, clock())
      calls.push({ leadId, at: clock(), outcome: outcome.name })
      return { outcome }
    },
  }
  const lookUpIp = async () => undefined
  const fallbackIp = '198.51.100.1'
  const send = makeLeadSender({
    distributor,
    lookUpIp,
    clock,
    campaign: exampleCampaign,
    fallbackIp,
  })
  const attempts = makeAttemptRunner({ queue, breaker, send, clock, storeFailureLog }, schedule)
  const { signal } = new AbortController()
  let underWay: UnderWay[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const begin = async (delivery: ClaimedDelivery) => {
    const { id } = delivery.lead
    ends.set(id, Promise.withResolvers())
    const endsAt = clock() + (scene.callMs?.(id) ?? usualCallMs)
    underWay.push({ delivery, endsAt, attempt: attempts.attempt(delivery, signal) })
    // Waits so that the call begins at this time.
    await Promise.resolve()
  }
  await breaker.start()
  return {
    work: async () => {
      const ended = underWay.filter(({ endsAt }) => endsAt <= clock())
      underWay = underWay.filter(({ endsAt }) => endsAt > clock())
      const attempted: AttemptWithBreakerState[] = []
      for (const { delivery, attempt } of ended) {
        ends.get(delivery.lead.id)?.resolve()
        attempted.push(await attempt)
      }
      for (const one of attempted) await attempts.record(one, signal)
      const claim = { now: clock(), leaseUntil: clock() + leaseMs }
      const { pause, trip } = await breaker.read()
      const limit = scene.concurrency - underWay.length
      if (breaker.isClosed() && limit > 0) {
        for (const one of await queue.claimDue({ ...claim, limit })) await begin(one)
      } else if (pause === null && trip && trip.probeAt <= clock() && limit > 0) {
        const probe = await queue.claimProbe(claim)
        if (probe !== undefined) await begin(probe)
      }
    },
    nextAt: () => Math.min(...underWay.map(({ endsAt }) => endsAt)),
    stop: () => queue.giveBack(underWay.map(({ delivery }) => delivery)),
  }
}

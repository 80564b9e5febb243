import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addressServiceDownMessage, makeAddressServices } from './address-validation.ts'
import { type LookupFailureReason, makeLookupFailure } from './lookup-service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('logs each service and reason at once, then once a minute with the number of failures', async () => {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) })
  let reason: LookupFailureReason = 'refused-key'
  const services = makeAddressServices({
    lookUpZip: async () => makeLookupFailure(reason),
    validateAddress: async () => makeLookupFailure(reason),
    log,
  })
  const fail = () => expect(services.lookUpZip('34236')).rejects.toThrow(addressServiceDownMessage)
  const logged = () => lines.splice(0).map((line) => JSON.parse(line))

  for (let visitors = 0; visitors < 500; visitors += 1) await fail()
  reason = 'timeout'
  await fail()
  expect(logged()).toMatchObject([
    { level: 50, service: 'zip lookup', reason: 'refused-key', times: 1 },
    { level: 40, service: 'zip lookup', reason: 'timeout', times: 1 },
  ])
  reason = 'refused-key'
  vi.advanceTimersByTime(59_999)
  await fail()
  expect(logged()).toEqual([])
  vi.advanceTimersByTime(1)
  await fail()
  expect(logged()).toMatchObject([{ reason: 'refused-key', times: 502 }])
})

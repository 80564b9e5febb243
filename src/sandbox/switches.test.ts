import { expect, test } from 'vitest'
import { faultsOf, makeSwitches } from './switches.ts'

const [fault] = faultsOf.distributor

test('counts down for each service and logs it', () => {
  if (fault === undefined) throw new Error('no fault')
  let changes = 0
  const switches = makeSwitches(() => changes++)
  switches.turn('distributor', { fault, callsLeft: 2 })
  expect(switches.take('geocoding')).toBeUndefined()
  expect(switches.take('distributor')).toBe(fault)
  expect(switches.now('distributor')?.callsLeft).toBe(1)
  expect(switches.take('distributor')).toBe(fault)
  expect(switches.take('distributor')).toBeUndefined()
  expect(changes).toBe(3)
})

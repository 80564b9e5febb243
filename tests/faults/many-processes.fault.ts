import { expect, onTestFinished, test } from 'vitest'
import { postgresPlace } from '#tests/store/store-places.ts'
import { accountFor, drained } from './account.ts'
import { startDistributor } from './distributor.ts'
import { times } from './extent.ts'
import { figure } from './figure.ts'
import { startSetUp } from './set-ups.ts'
import { startVisitors } from './visitors.ts'

const enquiries = times({ modest: 100, full: 20_000 })

test('two web and two worker processes that start together on an empty PostgreSQL send each lead once', async () => {
  const distributor = await startDistributor()
  onTestFinished(distributor.stop)
  const { settings, processes, site } = await startSetUp(
    { makePlace: postgresPlace, roles: ['web', 'web', 'worker', 'worker'] },
    distributor,
    { onTestFinished },
  )
  const visitors = startVisitors({ atOnce: 32, enquiries, site })
  await visitors.gone
  await drained(settings)
  const account = await accountFor(visitors, distributor, settings)
  const attempts = await Promise.all(
    processes.map(
      async ({ serving }) => (await serving()).log().split('delivery attempted').length - 1,
    ),
  )
  figure('Two web and two worker processes', {
    ...account,
    sentByEach: attempts.slice(2).join(' + '),
  })
  expect(account.acknowledged).toBe(enquiries)
  expect(distributor.received).toHaveLength(enquiries)
  expect(account.duplicatesSent).toBe(0)
  expect(attempts.map((count) => count > 0)).toEqual([false, false, true, true])
})

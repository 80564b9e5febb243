import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DeliveriesStatus } from './deliveries-page.tsx'

const now = Date.UTC(2026, 10, 22, 12)

const pausedFor = (reason: string) =>
  renderToStaticMarkup(
    <DeliveriesStatus view={{ breaker: { pause: { reason, since: now }, trip: null }, now }} />,
  )

test('after a restore, the status links to the leads in doubt and warns of Resume', () => {
  const text = pausedFor('restored from a backup')
  expect(text).toContain('href="/leads?restored=in-doubt"')
  expect(text).toContain('Resume would send them again')
  expect(pausedFor('their maintenance')).not.toContain('in doubt')
})

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Hold } from '#domain/delivery/hold.ts'
import { HoldHistory } from './hold-history.tsx'

const outage: Hold = {
  kind: 'outage',
  reason: 'HTTP 503',
  since: 0,
  heldFrom: 60_000,
  until: 120_000,
  isOpen: false,
  begunBy: null,
  endedBy: null,
  endReason: null,
}

// On a phone a table cell is a grid, which would place each of its children in a row of its own.
test('since when an outage was, and when it was noticed, is one piece', () => {
  const shown = renderToStaticMarkup(<HoldHistory holds={[outage]} now={180_000} />)
  expect(shown).toMatch(/data-heading="From"><span><time[^>]*>[^<]*<\/time>, noticed <time/)
})

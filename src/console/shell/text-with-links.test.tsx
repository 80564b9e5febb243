import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TextWithLinks } from './message.tsx'

test.each([
  ['No document, but a.md and docs/.', 'No document, but a.md and docs/.'],
  [
    'See docs/storage.md, “Return to SQLite”. Then docs/address-check.md says more.',
    'See <a href="/docs/storage.md#return-to-sqlite">docs/storage.md, “Return to SQLite”</a>. Then <a href="/docs/address-check.md">docs/address-check.md</a> says more.',
  ],
  [
    'docs/runbook.md, “The distributor’s reply, again”',
    '<a href="/docs/runbook.md#the-distributors-reply-again">docs/runbook.md, “The distributor’s reply, again”</a>',
  ],
])('the documents that a text names become links: %s', (text, html) => {
  expect(renderToStaticMarkup(<TextWithLinks text={text} />)).toBe(html)
})

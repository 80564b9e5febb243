import { expect, test } from 'vitest'
import { mergeTouches } from './keep-attribution.ts'

/** Returns the touches that the tab keeps after visits to pages whose field has these values. */
const after = (...[first = '', ...visits]: string[]) => visits.reduce(mergeTouches, first)

test.each([
  ['one ad', ['utm_source=a'], 'utm_source=a'],
  ['an ad, then other pages', ['utm_source=a', '', ''], 'utm_source=a'],
  ['two ads', ['utm_source=a', 'utm_source=b'], 'utm_source=a utm_source=b'],
  [
    'three ads',
    ['utm_source=a', 'utm_source=b', '', 'utm_source=c', ''],
    'utm_source=a utm_source=c',
  ],
  ['a direct visit, then an ad', ['', '', 'utm_source=a'], ' utm_source=a'],
  // A page that follows in the tab has two touches, from the address of the page before, without the linking host.
  [
    'an ad on another site, then a link',
    ['utm_source=a&referrer=x.example', 'utm_source=a utm_source=a'],
    'utm_source=a&referrer=x.example',
  ],
])('first and last touch after %s', (_, visits, kept) => expect(after(...visits)).toBe(kept))

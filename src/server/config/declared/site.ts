import * as v from 'valibot'
import { networks, origin, text, wholeNumber } from '../value-rules.ts'
import type { Settings } from './setting.ts'

export const siteSettings = {
  PORT: {
    rule: wholeNumber(0, 65_535),
    byDefault: '3000',
    means: 'the port that the site listens on; 0 takes any free one',
  },
  HOST: { rule: text, byDefault: '127.0.0.1', means: 'the address that the site listens on' },
  SITE_ORIGIN: {
    rule: origin,
    isNeeded: true,
    means: 'the origin that visitors reach the site at, like https://www.example.edu',
  },
  TRUSTED_PROXIES: {
    rule: networks,
    byDefault: '',
    means: 'addresses and networks whose X-Forwarded-For is believed, with commas between',
    // The proxy on the same machine.
    example: '127.0.0.1,::1',
  },
  ASSETS_DIR: {
    rule: text,
    means:
      'a folder into which each release has put its scripts and pictures (deploy/publish-assets.mjs), to serve what another one’s pages ask for; it is only read',
  },
  // Both in ten minutes. Many students share one IPv4 address on a campus or with a mobile carrier.
  LEADS_PER_NETWORK: {
    rule: wholeNumber(0, 1_000_000),
    byDefault: '200',
    means: 'how many enquiries one network may send in ten minutes; 0 sets no limit',
  },
  LOOKUPS_PER_NETWORK: {
    rule: wholeNumber(0, 1_000_000),
    byDefault: '120',
    means: 'how many address lookups one network may cause in ten minutes; 0 sets no limit',
  },
  AFFILIATE_PARAM: {
    rule: v.pipe(
      text,
      v.regex(/^[\w.-]{1,64}$/, 'must be letters, digits, dot, dash or underscore'),
    ),
    byDefault: 'affid',
    means: 'the query parameter that carries the affiliate’s id, in any case',
  },
} as const satisfies Settings

import { isIP } from 'node:net'
import * as v from 'valibot'
import { baseUrl, httpUrl, oneOf, text } from '../value-rules.ts'
import type { Settings } from './setting.ts'

const pixel = { rule: httpUrl, isNeeded: true, mayBeEmpty: true } as const

export const lookupSettings = {
  ADDRESS_CHECK: {
    // `offline` needs no account; what it cannot know: docs/address-check.md.
    rule: oneOf(['google', 'offline']),
    byDefault: 'google',
    means: 'google, or offline (ZIP data and street rules of our own, no account)',
  },
  ADDRESS_VALIDATION_URL: {
    rule: baseUrl,
    inProduction: 'https://addressvalidation.googleapis.com',
    mayBeSecret: true,
    means: 'the base address of Address Validation; in production Google’s by default',
  },
  GEOCODING_URL: {
    rule: baseUrl,
    inProduction: 'https://maps.googleapis.com',
    mayBeSecret: true,
    means: 'the base address of Geocoding; in production Google’s by default',
  },
  GOOGLE_MAPS_API_KEY: {
    rule: text,
    // Any key is good at the sandbox.
    inDemo: 'demo-key',
    needlessWith: 'ADDRESS_CHECK=offline',
    mayBeSecret: true,
    means: 'the key of your Google Maps Platform account',
  },
  IP_LOOKUP_URL: {
    rule: httpUrl,
    isNeeded: true,
    mayBeEmpty: true,
    mayBeSecret: true,
    means:
      'the IP service’s address, {ip} standing for the visitor’s; empty sends the address as seen',
  },
  FALLBACK_IP: {
    rule: v.pipe(
      text,
      v.check((value) => isIP(value) !== 0, 'must be an IP address'),
    ),
    byDefault: '127.0.0.1',
    means: 'the IP address that is sent where the IP service knows none',
  },
  PIXEL_URL_HEALTHCARE: {
    ...pixel,
    means: 'the healthcare thank-you screen’s pixel, with {leadId} and {subId}; empty does without',
  },
  PIXEL_URL_TECHNOLOGY: {
    ...pixel,
    means: 'the technology thank-you screen’s pixel; empty does without',
  },
  PIXEL_URL_DEFAULT: {
    ...pixel,
    means: 'every other thank-you screen’s pixel; empty does without',
  },
} as const satisfies Settings

import type { Lookup } from '../services/services.ts'
import { type Fault, jsonReply } from './stand-in-answer.ts'
import { wireFaults } from './wire-faults.ts'

const googleError = (code: number, status: string, reason: string): Fault['answer'] =>
  jsonReply(code, {
    error: {
      code,
      message: `Sandbox: ${status}`,
      status,
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason,
          domain: 'googleapis.com',
          metadata: { service: 'addressvalidation.googleapis.com' },
        },
      ],
    },
  })

/** Geocoding says it in the body, beside HTTP 200. */
const geocodingStatus = (name: string, status: string, about: string): Fault => ({
  name,
  about: `${status}: ${about}`,
  answer: jsonReply(200, { results: [], status }),
})

/** What the lookups can be told to answer from now on: their own troubles first, then everybody's. */
export const lookupFaults: Readonly<Record<Lookup, readonly Fault[]>> = {
  'address-validation': [
    {
      name: 'NotFound',
      about: 'no address is found',
      answer: jsonReply(200, { result: { verdict: {}, address: { postalAddress: {} } } }),
    },
    {
      name: 'KeyInvalid',
      about: 'HTTP 400: the key is not valid',
      answer: googleError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'),
    },
    {
      name: 'BillingOff',
      about: 'HTTP 403: billing is off',
      answer: googleError(403, 'PERMISSION_DENIED', 'BILLING_DISABLED'),
    },
    {
      name: 'Quota',
      about: 'HTTP 429: over the quota',
      answer: googleError(429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED'),
    },
    ...wireFaults,
  ],
  geocoding: [
    geocodingStatus('ZeroResults', 'ZERO_RESULTS', 'no ZIP exists'),
    geocodingStatus('Denied', 'REQUEST_DENIED', 'the key is refused'),
    geocodingStatus('Quota', 'OVER_QUERY_LIMIT', 'over the quota'),
    geocodingStatus('NoBilling', 'OVER_DAILY_LIMIT', 'billing is off'),
    geocodingStatus('Unknown', 'UNKNOWN_ERROR', 'try again'),
    ...wireFaults,
  ],
  'ip-lookup': [
    {
      name: 'NotFound',
      about: 'every value is "Not found"',
      answer: jsonReply(200, { IPv4: 'Not found', city: 'Not found', state: 'Not found' }),
    },
    ...wireFaults,
  ],
}

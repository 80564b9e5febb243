export const services = ['distributor', 'address-validation', 'geocoding', 'ip-lookup'] as const

export type Service = (typeof services)[number]

export const serviceNames: Readonly<Record<Service, string>> = {
  distributor: 'Lead distributor',
  'address-validation': 'Address Validation',
  geocoding: 'Geocoding',
  'ip-lookup': 'IP geolocation',
}

/** All but the distributor. */
export type Lookup = Exclude<Service, 'distributor'>

/** How the sandbox answers a call. */
export type StandInAnswer =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly body: string
      /** Called for each reply, because some contain a time. */
      readonly headers?: () => Readonly<Record<string, string>>
    }
  /** The ordinary answer: late, one byte at a time, or half of it before the connection ends. */
  | { readonly kind: 'late' | 'drip' | 'cut-short' }
  /** The connection is reset: before the request's body is read, or after. */
  | { readonly kind: 'reset-early' | 'reset' }
  /** No reply, ever. */
  | { readonly kind: 'hang' }

export interface Fault {
  /** Short, for inputs: `Sandbox-` and this name as a last name or as a word of a street. */
  readonly name: string
  readonly about: string
  readonly answer: StandInAnswer
}

/** A reply in JSON. */
export const jsonReply = (status: number, value: unknown) => ({
  kind: 'reply' as const,
  status,
  body: JSON.stringify(value),
})

export interface InputFault extends Fault {
  /** The fault's ZIP is `999nn` and its address `198.51.100.nn`. No real ZIP begins with 9997, 9998 or 9999. */
  readonly number: number
}

const html = (title: string) => `<!doctype html><title>${title}</title><p>We will be back soon.`

const asHtml = () => ({ 'content-type': 'text/html; charset=utf-8' })

/** Only a switch can cause this one, because an input has been read by then. */
const resetEarly: Fault = {
  name: 'ResetEarly',
  about: 'connection reset before the request is read',
  answer: { kind: 'reset-early' },
}

/** Faults that an input can cause too. */
export const inputFaults: readonly InputFault[] = [
  {
    number: 72,
    name: 'Reset',
    about: 'connection reset after the body was read',
    answer: { kind: 'reset' },
  },
  {
    number: 73,
    name: 'CutShort',
    about: 'half of the right answer, then the connection ends',
    answer: { kind: 'cut-short' },
  },
  { number: 74, name: 'Hang', about: 'no reply, ever', answer: { kind: 'hang' } },
  {
    number: 75,
    name: 'Drip',
    about: 'the right answer, one byte a second',
    answer: { kind: 'drip' },
  },
  {
    number: 76,
    name: 'Slow15s',
    about: 'the right answer, but only after 15 s',
    answer: { kind: 'late' },
  },
  {
    number: 77,
    name: 'BadJson',
    about: 'HTTP 200 with JSON that breaks off',
    answer: { kind: 'reply', status: 200, body: '{"status":"succ' },
  },
  {
    number: 78,
    name: 'Html200',
    about: 'HTTP 200 with an HTML page',
    answer: { kind: 'reply', status: 200, body: html('Down for repairs'), headers: asHtml },
  },
  {
    number: 79,
    name: 'Empty200',
    about: 'HTTP 200 without a body',
    answer: { kind: 'reply', status: 200, body: '' },
  },
  {
    number: 80,
    name: 'Huge200',
    about: 'HTTP 200 with 1 MB of blanks',
    answer: { kind: 'reply', status: 200, body: ' '.repeat(1024 * 1024) },
  },
  {
    number: 81,
    name: '302',
    about: 'HTTP 302 to another host',
    answer: {
      ...jsonReply(302, {}),
      headers: () => ({ location: 'https://elsewhere.invalid/' }),
    },
  },
  {
    number: 82,
    name: '401',
    about: 'HTTP 401',
    answer: jsonReply(401, { error: 'Unauthorized' }),
  },
  { number: 83, name: '403', about: 'HTTP 403', answer: jsonReply(403, { error: 'Forbidden' }) },
  {
    number: 84,
    name: '404',
    about: 'HTTP 404 with an HTML page',
    answer: { kind: 'reply', status: 404, body: html('Not Found'), headers: asHtml },
  },
  {
    number: 85,
    name: '408',
    about: 'HTTP 408',
    answer: jsonReply(408, { error: 'Request Timeout' }),
  },
  {
    number: 86,
    name: '429',
    about: 'HTTP 429 with Retry-After: 2',
    answer: {
      ...jsonReply(429, { error: 'Too Many Requests' }),
      headers: () => ({ 'retry-after': '2' }),
    },
  },
  {
    number: 87,
    name: '429Date',
    about: 'HTTP 429 with Retry-After as a date, 10 s ahead',
    answer: {
      ...jsonReply(429, { error: 'Too Many Requests' }),
      headers: () => ({ 'retry-after': new Date(Date.now() + 10_000).toUTCString() }),
    },
  },
  {
    number: 88,
    name: 'Fail500',
    about: 'HTTP 500',
    answer: jsonReply(500, { error: 'Internal Server Error' }),
  },
  {
    number: 89,
    name: '502',
    about: 'HTTP 502 with an HTML page',
    answer: { kind: 'reply', status: 502, body: html('Bad Gateway'), headers: asHtml },
  },
  {
    number: 90,
    name: '503',
    about: 'HTTP 503 with Retry-After: 5',
    answer: {
      ...jsonReply(503, { error: 'Service Unavailable' }),
      headers: () => ({ 'retry-after': '5' }),
    },
  },
]

/** Faults of the network and of HTTP: every service can have them. */
export const wireFaults: readonly Fault[] = [resetEarly, ...inputFaults]

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

/** Geocoding reports an error in the body of an HTTP 200. */
const geocodingStatus = (name: string, status: string, about: string): Fault => ({
  name,
  about: `${status}: ${about}`,
  answer: jsonReply(200, { results: [], status }),
})

/** Faults of each lookup: its own first, then those every service can have. */
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

export const success = jsonReply(200, { status: 'success' })

/**
 * Only Cap's and Inactive's words were seen in public; the others are ours in the same shapes. None has a word of the last
 * name that asks for it: that would be masked as the person's.
 */
const distributorReplies: readonly Fault[] = [
  {
    name: 'Duplicate',
    about: 'failure: duplicate, in reason.base',
    answer: jsonReply(200, { status: 'failure', reason: { base: ['This person came before'] } }),
  },
  {
    name: 'Cap',
    about: 'failure: monthly cap, in reason.base',
    answer: jsonReply(200, {
      status: 'failure',
      reason: { base: ['Reached the monthly offer cap for program'] },
    }),
  },
  {
    name: 'Inactive',
    about: 'failure: program is inactivated, reason as a string with reason_code',
    answer: jsonReply(200, {
      status: 'failure',
      reason: 'Program is inactivated',
      reason_code: 'closed',
    }),
  },
  {
    name: 'Invalid',
    about: 'failure: invalid fields, in reason by field, reasons[] and errors[]',
    answer: jsonReply(200, {
      status: 'failure',
      reason: { phone1: ['is too short'] },
      reasons: ['Lead is not as agreed'],
      errors: ['phone1 is not a phone number'],
    }),
  },
  {
    name: 'Queued',
    about: 'HTTP 200 with a status that is not in the contract',
    answer: jsonReply(200, { status: 'later' }),
  },
]

/** Faults of the distributor. */
export const distributorFaults: readonly Fault[] = [...distributorReplies, ...wireFaults]

export interface LastNameFault extends Fault {
  /** The last name that causes it. */
  readonly lastName: string
  /** How many attempts of a lead fail; without it, all of them. */
  readonly attempts?: number
}

const serverError = jsonReply(500, { error: 'Internal Server Error' })

export const lastNameFaults: readonly LastNameFault[] = [
  ...distributorReplies,
  ...inputFaults,
  {
    name: 'Fail500-Once',
    about: 'HTTP 500 to the first attempt, then success',
    answer: serverError,
    attempts: 1,
  },
  {
    name: 'FailTwice',
    about: 'HTTP 500 to the first two attempts, then success',
    answer: serverError,
    attempts: 2,
  },
].map((fault) => ({ ...fault, lastName: `Sandbox-${fault.name}` }))

/**
 * The fault that a last name asks for on this attempt, if any.
 * @param attempt how often the lead has come, from 1
 */
export function faultFor(lastName: string, attempt: number): LastNameFault | undefined {
  const fault = lastNameFaults.find(
    (candidate) => candidate.lastName.toLowerCase() === lastName.trim().toLowerCase(),
  )
  return fault && attempt <= (fault.attempts ?? Infinity) ? fault : undefined
}

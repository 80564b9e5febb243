export const serviceNames = {
  distributor: 'Lead distributor',
  'address-validation': 'Address Validation',
  geocoding: 'Geocoding',
  'ip-lookup': 'IP geolocation',
} as const

export type Service = keyof typeof serviceNames

export const services = Object.keys(serviceNames) as readonly Service[]

export type StandInAnswer =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly body: string
      /** Makes the headers for each reply, because some contain the current time. */
      readonly headers?: () => Readonly<Record<string, string>>
    }
  /** Sends the right response late, one byte at a time, or only half of it before the connection ends. */
  | { readonly kind: 'late' | 'drip' | 'cut-short' }
  /** Resets the connection before or after the request's body is read. */
  | { readonly kind: 'reset-early' | 'reset' }
  | { readonly kind: 'hang' }

export interface Fault {
  /** The fault's name for inputs: `Sandbox-` and this name, as a last name or as a word of a street. */
  readonly name: string
  readonly about: string
  readonly answer: StandInAnswer
  /** The ZIP that causes the fault. */
  readonly zip?: string
  /** The visitor's IP address that causes the fault, in TEST-NET-2 (RFC 5737). */
  readonly ip?: string
  /** How many attempts of a lead fail; if undefined, all attempts fail. */
  readonly attempts?: number
}

const json = (status: number, value: unknown, headers?: () => Record<string, string>) => ({
  kind: 'reply' as const,
  status,
  body: JSON.stringify(value),
  ...(headers ? { headers } : {}),
})

const error = (status: number, words: string, headers?: () => Record<string, string>) =>
  json(status, { error: words }, headers)

const html = (status: number, title: string): StandInAnswer => ({
  kind: 'reply',
  status,
  body: `<!doctype html><title>${title}</title><p>We will be back soon.`,
  headers: () => ({ 'content-type': 'text/html; charset=utf-8' }),
})

const text = (body: string): StandInAnswer => ({ kind: 'reply', status: 200, body })

const inTenSeconds = () => ({ 'retry-after': new Date(Date.now() + 10_000).toUTCString() })

type FaultRow = readonly [
  name: string,
  about: string,
  answer: StandInAnswer,
  more?: Pick<Fault, 'zip' | 'ip' | 'attempts'>,
]

const faults = (rows: readonly FaultRow[]): readonly Fault[] =>
  rows.map(([name, about, answer, more]) => ({ name, about, answer, ...more }))

const networkFaults: readonly FaultRow[] = [
  ['Reset', 'connection reset after the body was read', { kind: 'reset' }],
  ['CutShort', 'half of the right answer, then the connection ends', { kind: 'cut-short' }],
  ['Hang', 'no reply, ever', { kind: 'hang' }],
  ['Drip', 'the right answer, one byte a second', { kind: 'drip' }],
  ['Slow15s', 'the right answer, but only after 15 s', { kind: 'late' }],
  ['BadJson', 'HTTP 200 with JSON that breaks off', text('{"status":"succ')],
  ['Html200', 'HTTP 200 with an HTML page', html(200, 'Down for repairs')],
  ['Empty200', 'HTTP 200 without a body', text('')],
  ['Huge200', 'HTTP 200 with 1 MB of blanks', text(' '.repeat(1024 * 1024))],
  [
    '302',
    'HTTP 302 to another host',
    json(302, {}, () => ({ location: 'https://elsewhere.invalid/' })),
  ],
  ['401', 'HTTP 401', error(401, 'Unauthorized')],
  ['403', 'HTTP 403', error(403, 'Forbidden')],
  ['404', 'HTTP 404 with an HTML page', html(404, 'Not Found')],
  ['408', 'HTTP 408', error(408, 'Request Timeout')],
  [
    '429',
    'HTTP 429 with Retry-After: 2',
    error(429, 'Too Many Requests', () => ({ 'retry-after': '2' })),
  ],
  [
    '429Date',
    'HTTP 429 with Retry-After as a date, 10 s ahead',
    error(429, 'Too Many Requests', inTenSeconds),
  ],
  ['Fail500', 'HTTP 500', error(500, 'Internal Server Error')],
  ['502', 'HTTP 502 with an HTML page', html(502, 'Bad Gateway')],
  [
    '503',
    'HTTP 503 with Retry-After: 5',
    error(503, 'Service Unavailable', () => ({ 'retry-after': '5' })),
  ],
]

/** Faults of the network and of HTTP that an input can cause. No real ZIP begins with 9997, 9998 or 9999. */
export const inputFaults = faults(
  networkFaults.map(([name, about, answer], index) => {
    const number = 72 + index
    return [name, about, answer, { zip: `999${number}`, ip: `198.51.100.${number}` }]
  }),
)

/** An early reset needs a switch on the page, because to find the fault in an input the sandbox must read the request. */
const resetEarly: FaultRow = [
  'ResetEarly',
  'connection reset before the request is read',
  { kind: 'reset-early' },
]

/** The faults that every service can have. */
const wireFaults: readonly Fault[] = [...faults([resetEarly]), ...inputFaults]

/** Makes an error in the shape that all Google APIs share. */
export const googleError = (code: number, status: string, reason?: string) => {
  const domain = 'googleapis.com'
  const metadata = { service: `addressvalidation.${domain}` }
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata }
  const details = reason === undefined ? {} : { details: [info] }
  return json(code, { error: { code, message: `Sandbox: ${status}`, status, ...details } })
}

/** Makes a Geocoding error. Geocoding reports nearly all errors in the body of an HTTP 200. */
export const geocodingError = (status: string, code = 200) =>
  json(code, { error_message: `Sandbox: ${status}`, results: [], status })

const noAddress = { result: { verdict: {}, address: { postalAddress: {} } } }

const notFound = { IPv4: 'Not found', city: 'Not found', state: 'Not found' }

export const success = json(200, { status: 'success' })

const failure = (rest: object) => json(200, { status: 'failure', ...rest })

/**
 * Public sources quote only the texts of Cap and Inactive; we invented the others in the same shape. No text contains a
 * word of the last name that causes it, because the console would mask that word as personal data.
 */
const distributorReplies = faults([
  [
    'Duplicate',
    'failure: duplicate, in reason.base',
    failure({ reason: { base: ['This person came before'] } }),
  ],
  [
    'Cap',
    'failure: monthly cap, in reason.base',
    failure({ reason: { base: ['Reached the monthly offer cap for program'] } }),
  ],
  [
    'Inactive',
    'failure: program is inactivated, reason as a string with reason_code',
    failure({ reason: 'Program is inactivated', reason_code: 'closed' }),
  ],
  [
    'Invalid',
    'failure: invalid fields, in reason by field, reasons[] and errors[]',
    failure({
      reason: { phone1: ['is too short'] },
      reasons: ['Lead is not as agreed'],
      errors: ['phone1 is not a phone number'],
    }),
  ],
  ['Queued', 'HTTP 200 with a status that is not in the contract', json(200, { status: 'later' })],
])

const serverError = error(500, 'Internal Server Error')

export const lastNameFaults: readonly Fault[] = [
  ...distributorReplies,
  ...inputFaults,
  ...faults([
    ['Fail500-Once', 'HTTP 500 to the first attempt, then success', serverError, { attempts: 1 }],
    ['FailTwice', 'HTTP 500 to the first two attempts, then success', serverError, { attempts: 2 }],
  ]),
]

const invalidKey = googleError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID')
const billingOff = googleError(403, 'PERMISSION_DENIED', 'BILLING_DISABLED')
const overQuota = googleError(429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED')

const addressFaults = faults([
  ['NotFound', 'no address is found', json(200, noAddress)],
  ['KeyInvalid', 'HTTP 400: the key is not valid', invalidKey],
  ['BillingOff', 'HTTP 403: billing is off', billingOff, { zip: '99998' }],
  ['Quota', 'HTTP 429: over the quota', overQuota, { zip: '99999' }],
  [
    'Unavailable',
    'HTTP 503: the service is down',
    googleError(503, 'UNAVAILABLE'),
    { zip: '99997' },
  ],
])

const zeroResults = json(200, { results: [], status: 'ZERO_RESULTS' })
const denied = geocodingError('REQUEST_DENIED')
const overQueryLimit = geocodingError('OVER_QUERY_LIMIT')
const unavailable = geocodingError('UNKNOWN_ERROR', 503)

const geocodingFaults = faults([
  ['ZeroResults', 'ZERO_RESULTS: no ZIP exists', zeroResults],
  ['KeyInvalid', 'REQUEST_DENIED: the key is refused', denied, { zip: '99998' }],
  ['Quota', 'OVER_QUERY_LIMIT: over the quota', overQueryLimit, { zip: '99999' }],
  ['NoBilling', 'OVER_DAILY_LIMIT: billing is off', geocodingError('OVER_DAILY_LIMIT')],
  ['Unknown', 'UNKNOWN_ERROR: try again', geocodingError('UNKNOWN_ERROR')],
  ['Unavailable', 'HTTP 503: the service is down', unavailable, { zip: '99997' }],
])

const ipFaults = faults([['NotFound', 'every value is "Not found"', json(200, notFound)]])

/** The faults that each service can be switched to: its own faults first, then the faults of every service. */
export const faultsOf: Readonly<Record<Service, readonly Fault[]>> = {
  distributor: [...distributorReplies, ...wireFaults],
  'address-validation': [...addressFaults, ...wireFaults],
  geocoding: [...geocodingFaults, ...wireFaults],
  'ip-lookup': [...ipFaults, ...wireFaults],
}

/**
 * Returns the fault that a last name causes on this attempt, if any.
 * @param attempt how often the lead has arrived, from 1
 */
export const faultOfLead = (lastName: string, attempt: number): Fault | undefined =>
  lastNameFaults.find(
    ({ name, attempts = Infinity }) =>
      `sandbox-${name}`.toLowerCase() === lastName.trim().toLowerCase() && attempt <= attempts,
  )

/**
 * Returns the fault that a lookup causes: by the ZIP or IP address at its end, by a word of the street, or by the API
 * key.
 * @param asked a ZIP, a street with its ZIP, or an IP address
 */
export function faultOfLookup(service: Service, asked: string, key = ''): Fault | undefined {
  const last = asked.trim().split(/\s+/).at(-1) ?? ''
  const word = key === 'Sandbox-Invalid-Key' ? 'keyinvalid' : /\bSandbox-([\w-]+)/i.exec(asked)?.[1]
  return faultsOf[service].find(
    ({ name, zip, ip }) =>
      last === zip || last === ip || name.toLowerCase() === word?.toLowerCase(),
  )
}

export interface Switch {
  readonly fault: Fault
  /** How many more calls get the fault; Infinity until somebody switches the service back. */
  readonly callsLeft: number
}

/** The services that somebody has switched to a fault on the sandbox's page. */
export type Switches = Map<Service, Switch>

/** Returns the fault that the next call gets, if any, and counts the call. */
export function takeSwitchedFault(switches: Switches, service: Service): Fault | undefined {
  const now = switches.get(service)
  if (now === undefined) return undefined
  if (now.callsLeft > 1) switches.set(service, { ...now, callsLeft: now.callsLeft - 1 })
  else switches.delete(service)
  return now.fault
}

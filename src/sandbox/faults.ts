export const serviceNames = {
  distributor: 'Lead distributor',
  'address-validation': 'Address Validation',
  geocoding: 'Geocoding',
  'ip-lookup': 'IP geolocation',
} as const

export type SandboxService = keyof typeof serviceNames

export const sandboxServices = Object.keys(serviceNames) as readonly SandboxService[]

interface Reply {
  readonly kind: 'reply'
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** `late`: the normal reply after a delay. `hang`: no reply. `reset`: the sandbox resets the connection. */
export type SandboxAnswer = Reply | { readonly kind: 'late' | 'hang' | 'reset' }

export interface SandboxFault {
  /** The lead's last name or a word of the street selects the fault, as `Sandbox-` followed by this name. */
  readonly name: string
  readonly description: string
  readonly answer: SandboxAnswer
  /** This ZIP also selects the fault. No real ZIP begins with 9997, 9998 or 9999. */
  readonly zip?: string
  /** How many attempts to send a lead fail; undefined means all. */
  readonly attempts?: number
}

const makeJsonReply = (status: number, value: unknown, headers = {}): Reply => {
  const body = JSON.stringify(value)
  return {
    kind: 'reply',
    status,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  }
}

const makeHtmlReply = (status: number, title: string): Reply => ({
  kind: 'reply',
  status,
  body: `<!doctype html><title>${title}</title><p>We will be back soon.`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
})

const makeErrorReply = (status: number, message: string, retryAfter?: string): Reply =>
  makeJsonReply(status, { error: message }, retryAfter && { 'retry-after': retryAfter })

const redirect = makeJsonReply(302, {}, { location: 'https://elsewhere.invalid/' })

const makeTextReply = (body: string): Reply => ({ kind: 'reply', status: 200, body })

type FaultRow = readonly [name: string, description: string, answer: SandboxAnswer, zip?: string]

const makeFaults = (rows: readonly FaultRow[]): readonly SandboxFault[] =>
  rows.map(([name, description, answer, zip]) => ({
    name,
    description,
    answer,
    ...(zip && { zip }),
  }))

/** The faults that every service can have. */
export const commonFaults = makeFaults([
  ['Reset', 'connection reset after the sandbox has read the body', { kind: 'reset' }, '99972'],
  ['Hang', 'no reply', { kind: 'hang' }, '99974'],
  ['Slow15s', 'the normal answer, but only after 15 s', { kind: 'late' }, '99976'],
  ['BadJson', 'HTTP 200 with incomplete JSON', makeTextReply('{"status":"succ'), '99977'],
  ['Html200', 'HTTP 200 with an HTML page', makeHtmlReply(200, 'Down for repairs'), '99978'],
  ['Empty200', 'HTTP 200 without a body', makeTextReply(''), '99979'],
  ['302', 'HTTP 302 to another host', redirect, '99981'],
  ['401', 'HTTP 401', makeErrorReply(401, 'Unauthorized'), '99982'],
  ['403', 'HTTP 403', makeErrorReply(403, 'Forbidden'), '99983'],
  ['404', 'HTTP 404 with an HTML page', makeHtmlReply(404, 'Not Found'), '99984'],
  ['408', 'HTTP 408', makeErrorReply(408, 'Request Timeout'), '99985'],
  ['429', 'HTTP 429 with Retry-After: 2', makeErrorReply(429, 'Too Many Requests', '2'), '99986'],
  ['Fail500', 'HTTP 500', makeErrorReply(500, 'Internal Server Error'), '99988'],
  ['502', 'HTTP 502 with an HTML page', makeHtmlReply(502, 'Bad Gateway'), '99989'],
  ['503', 'HTTP 503 with Retry-After: 5', makeErrorReply(503, 'Service Unavailable', '5'), '99990'],
])

/** Makes an error in the shape that all Google APIs share. */
export const makeGoogleError = (code: number, status: string, reason?: string): Reply => {
  const details = reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : []
  return makeJsonReply(code, { error: { code, message: `Sandbox: ${status}`, status, details } })
}

/** Makes a Geocoding error. Geocoding reports nearly all errors in the body of an HTTP 200. */
export const makeGeocodingError = (status: string, code = 200): Reply =>
  makeJsonReply(code, { error_message: `Sandbox: ${status}`, results: [], status })

const makeFailureReply = (rest: object) => makeJsonReply(200, { status: 'failure', ...rest })

/**
 * Public sources quote the texts of the faults Cap and Inactive; the other texts are invented. No text contains a word
 * of the last name that selects the fault, because the console would mask the word as personal data.
 */
const distributorFaults = makeFaults([
  [
    'Duplicate',
    'failure: duplicate, in reason.base',
    makeFailureReply({ reason: { base: ['This person is already a lead'] } }),
  ],
  [
    'Cap',
    'failure: monthly cap, in reason.base',
    makeFailureReply({ reason: { base: ['Reached the monthly offer cap for program'] } }),
  ],
  [
    'Inactive',
    'failure: program is inactivated, reason as a string with reason_code',
    makeFailureReply({ reason: 'Program is inactivated', reason_code: 'closed' }),
  ],
  [
    'Invalid',
    'failure: invalid fields, in reason by field, reasons[] and errors[]',
    makeFailureReply({
      reason: { phone1: ['is too short'] },
      reasons: ['Lead is not as agreed'],
      errors: ['phone1 is not a phone number'],
    }),
  ],
  [
    'Queued',
    'HTTP 200 with a status that is not in the contract',
    makeJsonReply(200, { status: 'later' }),
  ],
])

const serverError = makeErrorReply(500, 'Internal Server Error')

export const lastNameFaults: readonly SandboxFault[] = [
  ...distributorFaults,
  ...commonFaults,
  {
    name: 'Fail500-Once',
    description: 'HTTP 500 to the first attempt, then success',
    answer: serverError,
    attempts: 1,
  },
  {
    name: 'FailTwice',
    description: 'HTTP 500 to the first two attempts, then success',
    answer: serverError,
    attempts: 2,
  },
]

const invalidKey = makeGoogleError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID')
const billingOff = makeGoogleError(403, 'PERMISSION_DENIED', 'BILLING_DISABLED')
const overQuota = makeGoogleError(429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED')

/** The faults that the sandbox's page offers for each service. */
export const faultsByService: Readonly<Record<SandboxService, readonly SandboxFault[]>> = {
  distributor: [...distributorFaults, ...commonFaults],
  'address-validation': [
    ...makeFaults([
      ['KeyInvalid', 'HTTP 400: the key is not valid', invalidKey],
      ['BillingOff', 'HTTP 403: billing is off', billingOff, '99998'],
      ['Quota', 'HTTP 429: over the quota', overQuota, '99999'],
      [
        'Unavailable',
        'HTTP 503: the service is down',
        makeGoogleError(503, 'UNAVAILABLE'),
        '99997',
      ],
    ]),
    ...commonFaults,
  ],
  geocoding: [
    ...makeFaults([
      ['KeyInvalid', 'REQUEST_DENIED: invalid key', makeGeocodingError('REQUEST_DENIED'), '99998'],
      [
        'Quota',
        'OVER_QUERY_LIMIT: over the quota',
        makeGeocodingError('OVER_QUERY_LIMIT'),
        '99999',
      ],
      ['NoBilling', 'OVER_DAILY_LIMIT: billing is off', makeGeocodingError('OVER_DAILY_LIMIT')],
      ['Unavailable', 'HTTP 503: service down', makeGeocodingError('UNKNOWN_ERROR', 503), '99997'],
    ]),
    ...commonFaults,
  ],
  'ip-lookup': commonFaults,
}

/** @param attempt how often the lead has arrived, from 1 */
export const findLeadFault = (lastName: string, attempt: number): SandboxFault | undefined =>
  lastNameFaults.find(
    ({ name, attempts = Infinity }) =>
      `sandbox-${name}`.toLowerCase() === lastName.trim().toLowerCase() && attempt <= attempts,
  )

/**
 * Finds the fault that the ZIP at the end of a query, a word of the street, or the API key selects.
 * @param query a ZIP, a street with its ZIP, or an IP address
 */
export function findLookupFault(
  service: SandboxService,
  query: string,
  key = '',
): SandboxFault | undefined {
  const zip = query.trim().split(/\s+/).at(-1)
  const word = key === 'Sandbox-Invalid-Key' ? 'KeyInvalid' : /\bSandbox-([\w-]+)/i.exec(query)?.[1]
  return faultsByService[service].find(
    (fault) => fault.zip === zip || fault.name.toLowerCase() === word?.toLowerCase(),
  )
}

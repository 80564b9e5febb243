export const serviceNames = {
  distributor: 'Lead distributor',
  'address-validation': 'Address Validation',
  geocoding: 'Geocoding',
  'ip-lookup': 'IP geolocation',
} as const

export type SandboxService = keyof typeof serviceNames

export const sandboxServices = Object.keys(serviceNames) as readonly SandboxService[]

export interface SandboxReply {
  readonly kind: 'reply'
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** `late`: the normal reply after a delay. `hang`: no reply. `reset`: the sandbox resets the connection. */
type SandboxAnswer = SandboxReply | { readonly kind: 'late' | 'hang' | 'reset' }

/**
 * @param name the lead's last name or a word of the street selects the fault, as `Sandbox-` followed by this name
 * @param zip also selects the fault; no real ZIP begins with 9997, 9998 or 9999
 * @param attempts how many attempts to send a lead fail; by default all
 */
const makeFault = (
  name: string,
  description: string,
  answer: SandboxAnswer,
  zip?: string,
  attempts = Infinity,
) => ({ name, description, answer, zip, attempts })

export type SandboxFault = ReturnType<typeof makeFault>

export const makeJsonReply = (status: number, value: unknown, headers = {}): SandboxReply => {
  const body = JSON.stringify(value)
  return {
    kind: 'reply',
    status,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  }
}

const makeHtmlReply = (status: number, title: string): SandboxReply => ({
  kind: 'reply',
  status,
  body: `<!doctype html><title>${title}</title><p>We will be back soon.`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
})

const makeErrorReply = (status: number, message: string, retryAfter?: string): SandboxReply =>
  makeJsonReply(status, { error: message }, retryAfter && { 'retry-after': retryAfter })

const redirect = makeJsonReply(302, {}, { location: 'https://elsewhere.invalid/' })

const makeTextReply = (body: string): SandboxReply => ({ kind: 'reply', status: 200, body })

export const commonFaults = [
  makeFault(
    'Reset',
    'connection reset after the sandbox has read the body',
    { kind: 'reset' },
    '99972',
  ),
  makeFault('Hang', 'no reply', { kind: 'hang' }, '99974'),
  makeFault('Slow15s', 'the normal answer, but only after 15 s', { kind: 'late' }, '99976'),
  makeFault('BadJson', 'HTTP 200 with incomplete JSON', makeTextReply('{"status":"succ'), '99977'),
  makeFault(
    'Html200',
    'HTTP 200 with an HTML page',
    makeHtmlReply(200, 'Down for repairs'),
    '99978',
  ),
  makeFault('Empty200', 'HTTP 200 without a body', makeTextReply(''), '99979'),
  makeFault('302', 'HTTP 302 to another host', redirect, '99981'),
  makeFault('401', 'HTTP 401', makeErrorReply(401, 'Unauthorized'), '99982'),
  makeFault('403', 'HTTP 403', makeErrorReply(403, 'Forbidden'), '99983'),
  makeFault('404', 'HTTP 404 with an HTML page', makeHtmlReply(404, 'Not Found'), '99984'),
  makeFault('408', 'HTTP 408', makeErrorReply(408, 'Request Timeout'), '99985'),
  makeFault(
    '429',
    'HTTP 429 with Retry-After: 2',
    makeErrorReply(429, 'Too Many Requests', '2'),
    '99986',
  ),
  makeFault('Fail500', 'HTTP 500', makeErrorReply(500, 'Internal Server Error'), '99988'),
  makeFault('502', 'HTTP 502 with an HTML page', makeHtmlReply(502, 'Bad Gateway'), '99989'),
  makeFault(
    '503',
    'HTTP 503 with Retry-After: 5',
    makeErrorReply(503, 'Service Unavailable', '5'),
    '99990',
  ),
]

/** Makes an error in the shape that all Google APIs share. */
export const makeGoogleError = (code: number, status: string, reason?: string): SandboxReply => {
  const details = reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : []
  return makeJsonReply(code, { error: { code, message: `Sandbox: ${status}`, status, details } })
}

/** Makes a Geocoding error. Geocoding reports nearly all errors in the body of an HTTP 200. */
export const makeGeocodingError = (status: string, code = 200): SandboxReply =>
  makeJsonReply(code, { error_message: `Sandbox: ${status}`, results: [], status })

const makeFailureReply = (rest: object) => makeJsonReply(200, { status: 'failure', ...rest })

/**
 * Public sources quote the texts of the faults Cap and Inactive; the other texts are invented. No text contains a word
 * of the last name that selects the fault, because the console would mask the word as personal data.
 */
const distributorFaults: readonly SandboxFault[] = [
  makeFault(
    'Duplicate',
    'failure: duplicate, in reason.base',
    makeFailureReply({ reason: { base: ['This person is already a lead'] } }),
  ),
  makeFault(
    'Cap',
    'failure: monthly cap, in reason.base',
    makeFailureReply({ reason: { base: ['Reached the monthly offer cap for program'] } }),
  ),
  makeFault(
    'Inactive',
    'failure: program is inactivated, reason as a string with reason_code',
    makeFailureReply({ reason: 'Program is inactivated', reason_code: 'closed' }),
  ),
  makeFault(
    'Invalid',
    'failure: invalid fields, in reason by field, reasons[] and errors[]',
    makeFailureReply({
      reason: { phone1: ['is too short'] },
      reasons: ['Lead is not as agreed'],
      errors: ['phone1 is not a phone number'],
    }),
  ),
  makeFault(
    'Queued',
    'HTTP 200 with a status that is not in the contract',
    makeJsonReply(200, { status: 'later' }),
  ),
]

const serverError = makeErrorReply(500, 'Internal Server Error')

export const lastNameFaults: readonly SandboxFault[] = [
  ...distributorFaults,
  ...commonFaults,
  makeFault('Fail500-Once', 'HTTP 500 to the first attempt, then success', serverError, '', 1),
  makeFault('FailTwice', 'HTTP 500 to the first two attempts, then success', serverError, '', 2),
]

const invalidKey = makeGoogleError(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID')
const billingOff = makeGoogleError(403, 'PERMISSION_DENIED', 'BILLING_DISABLED')
const overQuota = makeGoogleError(429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED')
const serviceDown = makeGoogleError(503, 'UNAVAILABLE')
const requestDenied = makeGeocodingError('REQUEST_DENIED')
const overQueryLimit = makeGeocodingError('OVER_QUERY_LIMIT')
const overDailyLimit = makeGeocodingError('OVER_DAILY_LIMIT')
const unknownError = makeGeocodingError('UNKNOWN_ERROR', 503)

/** The faults that the sandbox's page offers for each service. */
export const faultsByService: Readonly<Record<SandboxService, readonly SandboxFault[]>> = {
  distributor: [...distributorFaults, ...commonFaults],
  'address-validation': [
    makeFault('KeyInvalid', 'HTTP 400: the key is not valid', invalidKey),
    makeFault('BillingOff', 'HTTP 403: billing is off', billingOff, '99998'),
    makeFault('Quota', 'HTTP 429: over the quota', overQuota, '99999'),
    makeFault('Unavailable', 'HTTP 503: the service is down', serviceDown, '99997'),
    ...commonFaults,
  ],
  geocoding: [
    makeFault('KeyInvalid', 'REQUEST_DENIED: invalid key', requestDenied, '99998'),
    makeFault('Quota', 'OVER_QUERY_LIMIT: over the quota', overQueryLimit, '99999'),
    makeFault('NoBilling', 'OVER_DAILY_LIMIT: billing is off', overDailyLimit),
    makeFault('Unavailable', 'HTTP 503: service down', unknownError, '99997'),
    ...commonFaults,
  ],
  'ip-lookup': commonFaults,
}

/** @param attempt how often the lead has arrived, from 1 */
export const findLeadFault = (lastName: string, attempt: number): SandboxFault | undefined =>
  lastNameFaults.find(
    ({ name, attempts }) =>
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

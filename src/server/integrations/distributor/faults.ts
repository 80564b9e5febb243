/** What the stand-in does with a lead. */
export type StandInAnswer =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
      /** Sent only after the sandbox's slow time. */
      readonly isSlow?: boolean
    }
  /** The connection is reset after the lead was read. */
  | { readonly kind: 'reset' }
  /** No reply, ever. */
  | { readonly kind: 'hang' }

export interface Fault {
  /** The last name that asks for it. */
  readonly lastName: string
  readonly about: string
  readonly answer: StandInAnswer
  /** How many first attempts of a lead it fails; without it, every one. */
  readonly attempts?: number
}

const reply = (status: number, value: unknown) => ({
  kind: 'reply' as const,
  status,
  body: JSON.stringify(value),
})

export const success = reply(200, { status: 'success' })

const serverError = reply(500, { error: 'Internal Server Error' })

/** Only Cap's and Inactive's words were seen in public; the others are ours in the same shapes. */
export const distributorFaults: readonly Fault[] = [
  {
    lastName: 'Sandbox-Duplicate',
    about: 'failure: duplicate, in reason.base',
    answer: reply(200, { status: 'failure', reason: { base: ['Lead is a duplicate'] } }),
  },
  {
    lastName: 'Sandbox-Cap',
    about: 'failure: monthly cap, in reason.base',
    answer: reply(200, {
      status: 'failure',
      reason: { base: ['Reached the monthly offer cap for program'] },
    }),
  },
  {
    lastName: 'Sandbox-Inactive',
    about: 'failure: program is inactivated, reason as a string with reason_code',
    answer: reply(200, {
      status: 'failure',
      reason: 'Program is inactivated',
      reason_code: 'inactive',
    }),
  },
  {
    lastName: 'Sandbox-Invalid',
    about: 'failure: invalid fields, in reason by field, reasons[] and errors[]',
    answer: reply(200, {
      status: 'failure',
      reason: { phone1: ['is invalid'] },
      reasons: ['Lead is invalid'],
      errors: ['phone1 is not a phone number'],
    }),
  },
  { lastName: 'Sandbox-Fail500', about: 'HTTP 500, every time', answer: serverError },
  {
    lastName: 'Sandbox-Fail500-Once',
    about: 'HTTP 500 to the first attempt, then success',
    answer: serverError,
    attempts: 1,
  },
  {
    lastName: 'Sandbox-FailTwice',
    about: 'HTTP 500 to the first two attempts, then success',
    answer: serverError,
    attempts: 2,
  },
  {
    lastName: 'Sandbox-Slow15s',
    about: 'success, but only after 15 s',
    answer: { ...success, isSlow: true },
  },
  {
    lastName: 'Sandbox-Reset',
    about: 'connection reset after the lead was read',
    answer: { kind: 'reset' },
  },
  { lastName: 'Sandbox-Hang', about: 'no reply, ever', answer: { kind: 'hang' } },
  {
    lastName: 'Sandbox-BadJson',
    about: 'HTTP 200 with JSON that breaks off',
    answer: { kind: 'reply', status: 200, body: '{"status":"succ' },
  },
  {
    lastName: 'Sandbox-Html200',
    about: 'HTTP 200 with an HTML page',
    answer: {
      kind: 'reply',
      status: 200,
      body: '<!doctype html><title>Maintenance</title><p>We will be back soon.',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    },
  },
  {
    lastName: 'Sandbox-429',
    about: 'HTTP 429 with Retry-After: 2',
    answer: {
      kind: 'reply',
      status: 429,
      body: JSON.stringify({ error: 'Too Many Requests' }),
      headers: { 'retry-after': '2' },
    },
  },
]

/**
 * The fault that a last name asks for on this attempt, if any.
 * @param attempt how often the lead has come, from 1
 */
export function faultFor(lastName: string, attempt: number): Fault | undefined {
  const fault = distributorFaults.find(
    (candidate) => candidate.lastName.toLowerCase() === lastName.trim().toLowerCase(),
  )
  return fault && attempt <= (fault.attempts ?? Infinity) ? fault : undefined
}

import { type Fault, jsonReply } from './stand-in-answer.ts'

export interface InputFault extends Fault {
  /** Asks for it as ZIP `999nn` and as address `198.51.100.nn`. No real ZIP begins with 9997, 9998 or 9999. */
  readonly number: number
}

const html = (title: string) => `<!doctype html><title>${title}</title><p>We will be back soon.`

const asHtml = () => ({ 'content-type': 'text/html; charset=utf-8' })

/** An input has been read when it asks: only a switch can ask for this one. */
const resetEarly: Fault = {
  name: 'ResetEarly',
  about: 'connection reset before the request is read',
  answer: { kind: 'reset-early' },
}

/** Those that an input can ask for too. */
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

import type { OutcomeName } from '#domain/delivery/outcome.ts'
import type { Behaviour } from './distributor.ts'
import { isFull } from './extent.ts'

/** What a distributor, or the network before it, does to an attempt, and what the product must make of it. */
export interface Misbehaviour {
  readonly what: string
  readonly behaves: Behaviour
  readonly outcome: OutcomeName
  readonly httpStatus?: number
  /** The wait that it asks for, in milliseconds. */
  readonly retryAfterMs?: number
}

const replies =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { connection: 'close', ...headers }).end(body)
  }

const reply = (
  httpStatus: number,
  outcome: OutcomeName,
  ...[body, headers]: [string?, Record<string, string>?]
) => ({ behaves: replies(httpStatus, body, headers), outcome, httpStatus })

const breaksOff = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":"success"}'

/** Slower than the time that a delivery has, and never silent for as long. */
const drips: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  const drop = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(drop))
}

/** Long enough for a reply's head to be read on a busy machine, and over before the misbehaviour is. */
export const soonOver = { DELIVERY_TIMEOUT: '3s' }

/** As `passing`, where a delivery is `soonOver`. */
export const passingInTime: readonly Misbehaviour[] = [
  { what: 'hang', behaves: () => undefined, outcome: 'unknown' },
  { what: 'drip', behaves: drips, outcome: 'unknown', httpStatus: 200 },
]

/** Each is tried again until the distributor is well. */
export const passing: readonly Misbehaviour[] = [
  {
    what: 'reset once the lead is there',
    behaves: ({ socket }) => socket.resetAndDestroy(),
    outcome: 'unknown',
  },
  {
    what: 'reset in its reply',
    behaves: ({ socket }) => socket.end(breaksOff),
    outcome: 'unknown',
    httpStatus: 200,
  },
  {
    what: 'no HTTP',
    behaves: ({ socket }) => socket.end('220 mail.example ESMTP\r\n'),
    outcome: 'unknown',
  },
  { what: 'bad JSON', ...reply(200, 'broken', '{"status":"succ') },
  { what: 'HTML with 200', ...reply(200, 'broken', '<!doctype html><p>Back soon') },
  { what: 'an empty 200', ...reply(200, 'broken') },
  { what: 'another status', ...reply(200, 'broken', '{"status":"queued"}') },
  { what: '400', ...reply(400, 'broken', 'no') },
  { what: '408', ...reply(408, 'busy') },
  { what: '429', ...reply(429, 'busy') },
  {
    what: '429 for a second',
    ...reply(429, 'busy', '', { 'retry-after': '1' }),
    retryAfterMs: 1000,
  },
  { what: '500', ...reply(500, 'broken', 'oh') },
  { what: '502', ...reply(502, 'broken', '<h1>Bad Gateway') },
  { what: '503', ...reply(503, 'busy') },
  {
    what: '503 for two seconds',
    ...reply(503, 'busy', '', { 'retry-after': '2' }),
    retryAfterMs: 2000,
  },
]

/** Each is our own configuration: every delivery stops until a process starts with another one. */
export const refusing: readonly Misbehaviour[] = [
  { what: '401', ...reply(401, 'refused') },
  { what: '403', ...reply(403, 'refused') },
  { what: '404', ...reply(404, 'refused', '<h1>Not Found') },
]

/** Each is an answer, and never asked for again. */
export const rejecting: readonly Misbehaviour[] = [
  {
    what: 'failure',
    ...reply(200, 'rejected', '{"status":"failure","reason":"Program is inactivated"}'),
  },
  {
    what: 'failure: monthly cap',
    ...reply(
      200,
      'rejected',
      '{"status":"failure","reason":{"base":["Reached the monthly offer cap for program x"]}}',
    ),
  },
]

/**
 * What a distributor's answer is taken for has nothing to do with the store; what becomes of it has. So `npm test` lets every
 * misbehaviour happen on the first store, and on each other one the first of each outcome; the full count all on all.
 */
export const forStore = (
  rows: readonly Misbehaviour[],
  isFirstStore: boolean,
): readonly Misbehaviour[] =>
  isFull || isFirstStore
    ? rows
    : rows.filter(
        (row) =>
          row === rows.find((one) => one.outcome === row.outcome && waits(one) === waits(row)),
      )

const waits = ({ retryAfterMs }: Misbehaviour): boolean => retryAfterMs !== undefined

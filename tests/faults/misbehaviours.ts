import type { AttemptOutcomeName } from '#domain/delivery/outcome.ts'
import type { Behaviour } from './distributor.ts'
import { isFull } from './extent.ts'

/** A fault of the distributor or the network during an attempt, and the outcome that the product must record. */
export interface Misbehaviour {
  readonly what: string
  readonly behaves: Behaviour
  readonly outcome: AttemptOutcomeName
  readonly httpStatus?: number
  /** The wait that the response asks for, in milliseconds. */
  readonly retryAfterMs?: number
}

const replies =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { connection: 'close', ...headers }).end(body)
  }

const reply = (
  httpStatus: number,
  outcome: AttemptOutcomeName,
  ...[body, headers]: [string?, Record<string, string>?]
) => ({ behaves: replies(httpStatus, body, headers), outcome, httpStatus })

const breaksOff = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":"success"}'

/** A response that takes longer than the attempt may, but is never silent for as long. */
const answersSlowly: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  const drop = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(drop))
}

/** Long enough to read a response's headers on a busy machine, and shorter than the fault lasts. */
export const soonOver = { DELIVERY_TIMEOUT: '3s' }

/** Like `passing`, for products with `soonOver`. */
export const passingInTime: readonly Misbehaviour[] = [
  { what: 'no answer', behaves: () => undefined, outcome: 'unknown' },
  {
    what: 'an answer that takes too long',
    behaves: answersSlowly,
    outcome: 'unknown',
    httpStatus: 200,
  },
]

/** Faults after which the product retries until the distributor works. */
export const passing: readonly Misbehaviour[] = [
  {
    what: 'a reset after the lead has arrived',
    behaves: ({ socket }) => socket.resetAndDestroy(),
    outcome: 'unknown',
  },
  {
    what: 'a reset during the reply',
    behaves: ({ socket }) => socket.end(breaksOff),
    outcome: 'unknown',
    httpStatus: 200,
  },
  {
    what: 'a reply that is not HTTP',
    behaves: ({ socket }) => socket.end('220 mail.example ESMTP\r\n'),
    outcome: 'unknown',
  },
  { what: 'incomplete JSON', ...reply(200, 'broken', '{"status":"succ') },
  { what: 'HTML with 200', ...reply(200, 'broken', '<!doctype html><p>Back soon') },
  { what: 'an empty 200', ...reply(200, 'broken') },
  { what: 'an unknown status', ...reply(200, 'broken', '{"status":"queued"}') },
  { what: '400', ...reply(400, 'broken', 'no') },
  { what: '408', ...reply(408, 'busy') },
  { what: '429', ...reply(429, 'busy') },
  {
    what: '429 with Retry-After: 1',
    ...reply(429, 'busy', '', { 'retry-after': '1' }),
    retryAfterMs: 1000,
  },
  { what: '500', ...reply(500, 'broken', 'oh') },
  { what: '502', ...reply(502, 'broken', '<h1>Bad Gateway') },
  { what: '503', ...reply(503, 'busy') },
  {
    what: '503 with Retry-After: 2',
    ...reply(503, 'busy', '', { 'retry-after': '2' }),
    retryAfterMs: 2000,
  },
]

/** Faults of our own configuration: all deliveries stop until a process starts with another one. */
export const refusing: readonly Misbehaviour[] = [
  { what: '401', ...reply(401, 'refused') },
  { what: '403', ...reply(403, 'refused') },
  { what: '404', ...reply(404, 'refused', '<h1>Not Found') },
]

/** Final answers, after which the product does not retry. */
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
 * Selects the faults to test on a store. Reading a distributor's answer does not depend on the store, but recording its
 * outcome does. So `npm test` runs every fault on the first store, and the first fault of each outcome on the others;
 * the full count runs all on all.
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

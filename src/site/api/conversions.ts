import { hash, timingSafeEqual } from 'node:crypto'
import { ReadableStream, TextEncoderStream } from 'node:stream/web'
import { type Handler, Hono } from 'hono'
import {
  makeNetworkBuckets,
  makeNetworkFinder,
  rateLimitWindowMs,
} from '#server/enquiries/rate-limits.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { SiteServices } from '#site/site-services.ts'

/** The number of wrong passwords that one network may send in ten minutes. */
const maxWrongPasswords = 20

/**
 * Serves the files of conversions and of their adjustments to ad platforms, which sign in as the user `conversions`
 * (Basic authentication).
 */
export function conversionsRoute({
  conversionsPassword: password,
  readConversions,
  readConversionAdjustments,
  visitorIp,
}: Pick<
  SiteServices,
  'conversionsPassword' | 'readConversions' | 'readConversionAdjustments' | 'visitorIp'
>): Hono {
  const routes = new Hono()
  if (password === undefined) return routes
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(`Basic ${Buffer.from(`conversions:${password}`).toString('base64')}`)
  const wrong = makeNetworkBuckets({
    size: maxWrongPasswords,
    drainsIn: rateLimitWindowMs,
    now: () => performance.now(),
  })
  const findNetwork = makeNetworkFinder(visitorIp, () => undefined)
  const send =
    (read: () => AsyncIterable<string>): Handler =>
    (c) => {
      const network = findNetwork(toRequestHead(c))
      if (network !== undefined && wrong.isFull(network)) {
        c.header('Retry-After', String(wrong.secondsUntilRoom(network)))
        return c.text('Too many wrong passwords. Try again later.', 429)
      }
      const given = c.req.header('authorization')
      if (!timingSafeEqual(digest(given ?? ''), expected)) {
        // A client asks without a password first, which is no guess.
        if (network !== undefined && given !== undefined) wrong.add(network)
        c.header('WWW-Authenticate', 'Basic realm="conversions", charset="UTF-8"')
        return c.text('Sign in as “conversions” with CONVERSIONS_PASSWORD.', 401)
      }
      const body = ReadableStream.from(read()).pipeThrough(new TextEncoderStream())
      return c.body(body as globalThis.ReadableStream, 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    }
  return routes
    .get('/conversions.csv', send(readConversions))
    .get('/conversion-adjustments.csv', send(readConversionAdjustments))
}

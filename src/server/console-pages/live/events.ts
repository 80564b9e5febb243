import { Hono } from 'hono'
import { readTopic } from '#domain/live-topic.ts'
import { problem } from '#server/platform/http/problem.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { eventsPath } from '../security/require-session.ts'
import { EventStream } from './event-stream.ts'
import { readMark } from './live-mark.ts'
import type { LiveStreams } from './live-streams.ts'

export interface EventsPorts {
  readonly live: LiveStreams
}

/** More than one page ever follows. */
const mostTopics = 10

/**
 * Tells a page what of it has changed, as server-sent events: which topics, and up to where it knows then. What changed in
 * them it asks for itself. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const events = ({ live }: EventsPorts) =>
  new Hono<ConsoleEnv>().get(eventsPath, (c) => {
    const topics = (c.req.queries('about') ?? []).map(readTopic)
    const known = topics.filter((topic) => topic !== undefined)
    if (known.length === 0 || known.length < topics.length || known.length > mostTopics) {
      return problem(c, 400, 'Say what is to be followed: about=leads, about=deliveries.')
    }
    // Nobody would read what it answers, nor end it.
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    live.authorise(c.get('actor'), known)
    const stream = new EventStream()
    const close = live.open({
      sessionId: c.get('session')?.id ?? '',
      topics: known,
      since: readMark(sinceOf(c)),
      tell: (changed, mark) => stream.send('changed', changed.join(' '), mark),
      sure: () => stream.send('sure', ''),
      end: (why) => {
        stream.send('ended', why)
        stream.close()
      },
    })
    if (close === undefined) {
      stream.close()
      c.header('Retry-After', '30')
      return problem(c, 429, 'This session follows in as many windows as it may: close one.')
    }
    stream.onClosed = close
    return c.body(stream.body, 200, headers)
  })

/** As the browser repeats it by itself, or as the page has it in its address. */
const sinceOf = (c: ConsoleContext): string =>
  c.req.header('last-event-id') ?? c.req.query('since') ?? ''

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  // nginx would gather it first: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
  'X-Accel-Buffering': 'no',
}

import { isIPv4 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'

/** The documentation range TEST-NET-1 (RFC 5737) stands for addresses that nobody knows. */
const unknownRange = /^192\.0\.2\./

/** The IP geolocation service of the sandbox. Every address it knows is in Sarasota. */
export function ipLookupStandIn() {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/json/:ip', (c) => c.json(standInReply(c.req.param('ip').replace(/^::ffff:/, ''))))
  app.get('/json/', (c) => c.json(standInReply(c.env.incoming.socket.remoteAddress ?? '')))
  return app
}

function standInReply(ip: string) {
  // The service has no IPv4 to tell of an IPv6 address either.
  const known = isIPv4(ip) && !unknownRange.test(ip)
  const say = (value: string | number) => (known ? value : 'Not found')
  return {
    country_code: say('US'),
    country_name: say('United States'),
    city: say('Sarasota'),
    postal: say('34236'),
    latitude: say(27.3269),
    longitude: say(-82.5433),
    IPv4: say(ip),
    state: say('Florida'),
  }
}

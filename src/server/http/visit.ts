import type { IncomingMessage } from 'node:http'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** What decides about a request, whichever way that came in. */
export interface Visit {
  /** @param name in small letters */
  header(name: string): string | undefined
  /** At the other end of the connection: the visitor's, or a proxy's. */
  readonly remoteAddress: string
}

export const visitOf = (c: Context): Visit => ({
  header: (name) => c.req.header(name),
  get remoteAddress() {
    return getConnInfo(c).remote.address ?? ''
  },
})

export const visitBy = ({ headers, socket }: IncomingMessage): Visit => ({
  header: (name) => headers[name]?.toString(),
  get remoteAddress() {
    return socket.remoteAddress ?? ''
  },
})

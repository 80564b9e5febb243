import type { IncomingMessage } from 'node:http'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/**
 * Decides about a request before its body is read, so that these rules can be tested without a
 * router.
 */
export interface RequestHead {
  /** @param name in small letters */
  header(name: string): string | undefined
  /** At the other end of the connection: the visitor's, or a proxy's. */
  readonly remoteAddress: string
}

/** The same of a request that no router has seen. */
export const headOfNode = ({ headers, socket }: IncomingMessage): RequestHead => ({
  header: (name) => headers[name]?.toString(),
  get remoteAddress() {
    return socket.remoteAddress ?? ''
  },
})

export const headOf = (c: Context): RequestHead => ({
  header: (name) => c.req.header(name),
  get remoteAddress() {
    return getConnInfo(c).remote.address ?? ''
  },
})

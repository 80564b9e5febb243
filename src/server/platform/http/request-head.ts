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

export const headOf = (c: Context): RequestHead => ({
  header: (name) => c.req.header(name),
  get remoteAddress() {
    return getConnInfo(c).remote.address ?? ''
  },
})

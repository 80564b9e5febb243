import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** The parts of a request that are known before its body, so that rules about them can be tested without a router. */
export interface RequestHead {
  /** @param name in lower case */
  header(name: string): string | undefined
  /** The address at the other end of the connection: the visitor's, or a proxy's. */
  readonly remoteAddress: string
}

export const headOf = (c: Context): RequestHead => ({
  header: (name) => c.req.header(name),
  get remoteAddress() {
    return getConnInfo(c).remote.address ?? ''
  },
})

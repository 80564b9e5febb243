import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** The parts of a request before its body. Rules about these parts can be tested without a router. */
export interface RequestHead {
  /** @param name in lower case */
  header(name: string): string | undefined
  /** The IP address at the other end of the connection: the visitor's, or a proxy's. */
  readonly remoteAddress: string
}

export const toRequestHead = (c: Context): RequestHead => ({
  header: (name) => c.req.header(name),
  get remoteAddress() {
    return getConnInfo(c).remote.address ?? ''
  },
})

/** Whether the visitor left, or was too slow, before the whole request had arrived, so that nobody receives the answer. */
export function isAborted(c: Context): boolean {
  const { incoming } = c.env as Partial<HttpBindings>
  return incoming?.destroyed === true && !incoming.complete
}

/**
 * Reads the URL of the page that a request came from.
 * @param origin the site's own origin
 * @returns undefined if the browser doesn't name the page
 */
export function readReferer(
  head: RequestHead,
  origin: string,
): { readonly url: URL; readonly isOwn: boolean } | undefined {
  const url = URL.parse(head.header('referer') ?? '')
  if (url === null) return undefined
  return { url, isOwn: [head.header('host'), new URL(origin).host].includes(url.host) }
}

/**
 * Returns whether the browser asks not to sell or share the visitor's data (Global Privacy Control). If a request has
 * several values of `Sec-GPC`, one "1" is enough: https://w3c.github.io/gpc/#the-sec-gpc-header-field-for-http-requests
 */
export const isGpcValue = (secGpc: string | undefined): boolean =>
  secGpc?.split(',').some((value) => value.trim() === '1') ?? false

export const hasGpcHeader = (head: RequestHead): boolean => isGpcValue(head.header('sec-gpc'))

/** Returns whether the browser sends Global Privacy Control or Do Not Track (reading 28). */
export const refusesTracking = (head: RequestHead): boolean =>
  hasGpcHeader(head) || head.header('dnt')?.trim() === '1'

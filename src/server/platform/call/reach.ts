import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

export type Reached =
  | { readonly ok: true }
  /** The system's or OpenSSL's name for why, such as ENOTFOUND or CERT_HAS_EXPIRED. */
  | { readonly ok: false; readonly code: string }

export interface Place {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

/** Where a URL leads; its path and query, which may hold a key, are left behind. */
export function placeOf(url: string, otherwisePort: number): Place {
  const { hostname, port, protocol } = new URL(url)
  const isSecure = protocol === 'https:'
  const usual = isSecure ? 443 : otherwisePort
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual, isSecure }
}

/**
 * Opens a connection, over https as far as a certificate that holds, and closes it without a word: no request is made, so
 * nothing is billed and nothing counts as a lead.
 */
export function reach({ host, port, isSecure }: Place, timeoutMs: number): Promise<Reached> {
  const { promise, resolve } = Promise.withResolvers<Reached>()
  const socket = isSecure
    ? connectSecurely({ host, port, servername: isIP(host) === 0 ? host : '' })
    : connectPlain({ host, port })
  socket.setTimeout(timeoutMs, () => resolve({ ok: false, code: 'timeout' }))
  socket.on(isSecure ? 'secureConnect' : 'connect', () => resolve({ ok: true }))
  socket.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ ok: false, code: error.code ?? 'no connection' }),
  )
  socket.on('end', () => resolve({ ok: false, code: 'closed by the other side' }))
  return promise.finally(() => socket.destroy())
}

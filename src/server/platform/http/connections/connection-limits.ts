import type { ServerOptions } from 'node:http'

/** What one connection, and all of them, may cost. Times are milliseconds. */
export interface ConnectionLimits {
  readonly http: Pick<
    ServerOptions,
    'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval' | 'maxHeaderSize'
  >
  /** Nothing is written or read for so long: a browser that does not take its answer. */
  readonly idleTimeout: number
  readonly mostConnections: number
}

export const connectionLimits: ConnectionLimits = {
  http: {
    // A request's headers are a packet or two. Node waits for a minute, and looks every 30 s.
    headersTimeout: 10_000,
    // With its body, of 64 KB at most: 17 kbit/s. Node waits for five minutes.
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2000,
    // Node's own, said here as docs/security.md says it.
    maxHeaderSize: 16 * 1024,
  },
  idleTimeout: 60_000,
  // Idle ones take about 10 KB each. A proxy in front needs far fewer.
  mostConnections: 10_000,
}

/** What everybody should understand, https://www.rfc-editor.org/rfc/rfc9110#section-4.1-5; ad networks stay below 2,000. */
export const longestUrl = 8000

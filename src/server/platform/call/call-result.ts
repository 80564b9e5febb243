import type { IncomingHttpHeaders } from 'node:http'

/** By lower-case name; a list where the header came more than once. */
export type ReplyHeaders = IncomingHttpHeaders

export type CallResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly body: string
    }
  /** A status came, its body did not come whole. */
  | {
      readonly kind: 'cut-short'
      readonly status: number
      readonly headers: ReplyHeaders
      readonly why: Interruption | 'too-large'
    }
  | {
      readonly kind: 'no-answer'
      readonly why: Interruption
      /** False only where it is certain that the request did not leave this machine whole. */
      readonly maybeSent: boolean
      /** The system's name for it, such as ECONNREFUSED; empty where it gave none. */
      readonly code: string
    }

export type Interruption = 'timeout' | 'stopped' | 'connection'

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** An answer of the own API before it is a response. */
export interface Reply {
  readonly status: ContentfulStatusCode
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const jsonReply = (status: ContentfulStatusCode, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

export const withRetryAfter = (seconds: number, reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'retry-after': String(seconds) },
})

export const send = (c: Context, { status, headers, body }: Reply) => c.body(body, status, headers)

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Problem, problemContentType } from '#contract/problem.ts'
import { type Reply, send } from './reply.ts'

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export const problemOf = (
  status: number,
  detail: string,
  more: Pick<Problem, 'errors' | 'challenge'> = {},
): Problem => ({
  type: 'about:blank',
  title: titles[status] ?? 'Error',
  status,
  detail,
  ...more,
})

/** `application/problem+json`, RFC 9457. */
export const problemReply = (
  status: ContentfulStatusCode,
  detail: string,
  more?: Pick<Problem, 'errors' | 'challenge'>,
): Reply => ({
  status,
  headers: { 'content-type': problemContentType },
  body: JSON.stringify(problemOf(status, detail, more)),
})

export const problem = (c: Context, status: ContentfulStatusCode, detail: string) =>
  send(c, problemReply(status, detail))

/** An error that nobody expected. */
export const ourFault = problemReply(500, 'Something went wrong on our side. Please try again.')

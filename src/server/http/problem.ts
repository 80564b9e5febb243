import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Problem, problemContentType } from '#contract/problem.ts'

const titles: Record<number, string> = {
  400: 'Bad Request',
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

/** Answers with `application/problem+json`, RFC 9457. */
export const problem = (
  c: Context,
  status: ContentfulStatusCode,
  detail: string,
  more?: Pick<Problem, 'errors' | 'challenge'>,
) =>
  c.body(JSON.stringify(problemOf(status, detail, more)), status, {
    'content-type': problemContentType,
  })

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

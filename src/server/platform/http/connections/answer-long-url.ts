import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiPrefix } from '#contract/own-api.ts'
import { problemContentType } from '#contract/problem.ts'
import { problemOf } from '../problem.ts'
import { longestUrl } from './connection-limits.ts'

const words = `The address is longer than ${longestUrl} characters. Please open the site by its short address.`

/** 414, before anything looks at the address. */
export function answerLongUrl({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const isApi = url.startsWith(`${apiPrefix}/`)
  response.writeHead(414, {
    'content-type': isApi ? problemContentType : 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(isApi ? JSON.stringify(problemOf(414, words)) : words)
}

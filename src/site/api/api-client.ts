import { xsrfCookie, xsrfHeader } from '#contract/own-api.ts'
import { ApiError } from './api-error.ts'
import { fetchOwnPage } from './own-page.ts'
import { readCookie } from './read-cookie.ts'
import { withinLimit } from './time-limit.ts'

/** How a call is made. */
export interface CallOptions {
  /** URL = prefix + '/' + path; the path alone where there is none. */
  readonly prefix?: string
  /** Sends `X-Api-Authorization: true`. */
  readonly authenticated?: boolean
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
}

export interface Query {
  readonly skip?: number
  readonly take?: number
  readonly active?: boolean
  /** Dropped where the key is empty, or the value null or the text `undefined`. */
  readonly extras?: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/**
 * The browser's client of the own API. Replies are passed through unchanged; an error reply rejects with
 * {@link ApiError}, and so does what somebody on the way has answered in our place. A call has {@link answerLimitMs}.
 */
export class ApiClient {
  get<Reply>(path: string, options?: CallOptions): Promise<Reply> {
    return call('GET', path, options)
  }

  post<Reply>(path: string, body: unknown, options?: CallOptions): Promise<Reply> {
    return call('POST', path, options, body)
  }

  put<Reply>(path: string, body: unknown, options?: CallOptions): Promise<Reply> {
    return call('PUT', path, options, body)
  }

  delete<Reply>(path: string, options?: CallOptions): Promise<Reply> {
    return call('DELETE', path, options)
  }
}

async function call<Reply>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { prefix, authenticated, query, headers }: CallOptions = {},
  body?: unknown,
): Promise<Reply> {
  const url = (prefix ? `${prefix}/${path}` : path) + queryString(query)
  const needsToken = method !== 'GET' && isRelative(url)
  return withinLimit(async (signal) => {
    const send = () => {
      const token = needsToken ? readCookie(xsrfCookie) : undefined
      return fetch(url, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(authenticated ? { 'X-Api-Authorization': 'true' } : {}),
          ...(token === undefined ? {} : { [xsrfHeader]: token }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      })
    }
    const response = await send()
    if (response.status !== 403 || !needsToken) return readReply<Reply>(response)
    // The visitor has cleared the cookies since the page came: it brings new ones.
    await fetchOwnPage(signal)
    return readReply<Reply>(await send())
  })
}

/** What the own API answers with where all went well. */
const successes = [200, 201, 204]

async function readReply<Reply>(response: Response): Promise<Reply> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (response.status === 204) return undefined as Reply
  if (isJson && successes.includes(response.status)) return response.json()
  throw await ApiError.from(response)
}

/** Both schemes, as `https:path` is relative to a page of the same scheme only. */
const anyBases = ['https://relative.invalid', 'http://relative.invalid']

/** Another host must not learn the token. The URL parser decides: browsers read `/\host` and ` //host` as hosts too. */
const isRelative = (url: string): boolean =>
  anyBases.every((base) => new URL(url, base).origin === base)

function queryString({ skip, take, active, extras = {} }: Query = {}): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries({ skip, take, active, ...extras })) {
    if (key !== '' && value !== null && String(value) !== 'undefined') query.set(key, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

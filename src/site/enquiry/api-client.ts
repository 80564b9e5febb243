import * as v from 'valibot'
import { requestTimeoutMs } from '#content/ui-constants.ts'
import {
  apiPrefix,
  idempotencyHeader,
  type Problem,
  problemContentType,
  xsrfCookie,
  xsrfHeader,
} from '#contract/api-constants.ts'
import { type LeadReply, type LeadRequest, leadReplySchema } from '#contract/lead-request.ts'
import {
  addressValidationReplySchema,
  type ZipLookupReply,
  zipLookupReplySchema,
} from '#contract/lookups.ts'
import type { AddressServices, AddressValidation } from '#domain/enquiry/address.ts'
import { readCookie } from './read-cookie.ts'

/** An error response of our own API or of a proxy. `message` is the problem's detail or, without one, the status. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Partial<Problem>

  private constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `the server answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.problem = problem
  }

  static async from(response: Response): Promise<ApiError> {
    const isOurs = response.headers.get('content-type')?.startsWith(problemContentType)
    const problem = isOurs ? await response.json().catch(() => ({})) : {}
    return new ApiError(response.status, problem)
  }
}

export interface CallOptions {
  /** The URL is prefix + '/' + path or, without a prefix, the path alone. */
  readonly prefix?: string
  /** Sends `X-Api-Authorization: true`. */
  readonly authenticated?: boolean
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
}

interface Query {
  readonly skip?: number
  readonly take?: number
  readonly active?: boolean
  /** More parameters. Empty keys are left out, and so are values that are null, undefined or the text `undefined`. */
  readonly extras?: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/** Calls our own API. An error response, or the response of another server such as a proxy, throws {@link ApiError}. */
export const apiClient = {
  get: <Reply>(path: string, options?: CallOptions) => callApi<Reply>('GET', path, options),
  post: <Reply>(path: string, body: unknown, options?: CallOptions) =>
    callApi<Reply>('POST', path, options, body),
  put: <Reply>(path: string, body: unknown, options?: CallOptions) =>
    callApi<Reply>('PUT', path, options, body),
  delete: <Reply>(path: string, options?: CallOptions) => callApi<Reply>('DELETE', path, options),
}

async function callApi<Reply>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { prefix, authenticated, query, headers }: CallOptions = {},
  body?: unknown,
): Promise<Reply> {
  const url = (prefix ? `${prefix}/${path}` : path) + formatQuery(query)
  const needsToken = method !== 'GET' && isRelative(url)
  const signal = AbortSignal.timeout(requestTimeoutMs)
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
  if (response.status !== 403 || !needsToken) return parseReply<Reply>(response)
  // The visitor may have deleted the cookies since the page was loaded. Requesting the page again sets new cookies.
  await fetch(location.href, { cache: 'no-store', signal })
  return parseReply<Reply>(await send())
}

const successes = [200, 201, 204]

async function parseReply<Reply>(response: Response): Promise<Reply> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (response.status === 204) return undefined as Reply
  if (isJson && successes.includes(response.status)) return response.json()
  throw await ApiError.from(response)
}

/** The check uses both schemes, because `https:path` is relative only to a page with the same scheme. */
const anyBases = ['https://relative.invalid', 'http://relative.invalid']

/** Returns whether a URL is on our host: only then may the request contain the XSRF token. To browsers, `/\host` and ` //host` mean other hosts. */
const isRelative = (url: string): boolean =>
  anyBases.every((base) => new URL(url, base).origin === base)

function formatQuery({ skip, take, active, extras = {} }: Query = {}): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries({ skip, take, active, ...extras })) {
    if (key !== '' && value !== null && String(value) !== 'undefined') query.set(key, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

const prefix = apiPrefix

/** The form looks up a ZIP while the visitor types and again at Next. The cache saves the second lookup. */
const zipLookups = new Map<string, Promise<ZipLookupReply>>()

export function lookUpZip(zip: string): Promise<ZipLookupReply> {
  const known = zipLookups.get(zip)
  if (known) return known
  const lookup = apiClient
    .get(`zip-lookups/${encodeURIComponent(zip)}`, { prefix })
    .then((reply) => v.parse(zipLookupReplySchema, reply))
  zipLookups.set(zip, lookup)
  // Forgets a failed lookup, so that the form can repeat it.
  lookup.catch(() => zipLookups.delete(zip))
  return lookup
}

async function validateAddress(address: string, zip: string): Promise<AddressValidation> {
  const reply = await apiClient.post('address-validations', { address, zip }, { prefix })
  const { result } = v.parse(addressValidationReplySchema, reply)
  return { postalAddress: result.address.postalAddress, doubts: result.doubts ?? [] }
}

export const addressServices: AddressServices = { lookUpZip, validateAddress }

/**
 * Sends an enquiry. Repeated calls with the same key and the same answers store one lead. Rejects if the response has
 * no id, for example because a hotel's Wi-Fi answered with its sign-in page.
 */
export const sendLead = async (request: LeadRequest, key: string): Promise<LeadReply> =>
  v.parse(
    leadReplySchema,
    await apiClient.post('leads', request, { prefix, headers: { [idempotencyHeader]: key } }),
  )

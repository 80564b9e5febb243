import { xsrfCookie, xsrfHeader } from '#contract/own-api.ts'

type Headers = Readonly<Record<string, string>>

/** Calls the own API as the form does: takes the XSRF cookie from a first GET and sends it back with every call. */
export async function apiVisitor(url: string) {
  const first = await fetch(`${url}/api/start-dates`)
  const token = cookieOf(first, xsrfCookie)
  const own = { cookie: `${xsrfCookie}=${token}`, [xsrfHeader]: token }
  return {
    /** The XSRF token that the product gave. */
    token,
    get: (path: string, headers: Headers = {}) => fetch(`${url}/api/${path}`, { headers }),
    /** An object goes out as JSON, a text or stream as it is. */
    post: (path: string, body: unknown, headers: Headers = {}) =>
      fetch(`${url}/api/${path}`, {
        method: 'POST',
        headers: { ...own, 'content-type': 'application/json', ...headers },
        ...(body instanceof ReadableStream
          ? { body, duplex: 'half' as const }
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  }
}

export type ApiVisitor = Awaited<ReturnType<typeof apiVisitor>>

/** The value that a reply sets a cookie to; empty where it sets none. */
export function cookieOf(reply: Response, name: string): string {
  const found = reply.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1).split(';')[0] ?? ''
}

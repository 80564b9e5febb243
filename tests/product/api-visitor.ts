import { xsrfCookie, xsrfHeader } from '#contract/api-constants.ts'

type Headers = Readonly<Record<string, string>>

/** Calls our own API as the form does: gets the XSRF cookie with a first GET and returns it with every call. */
export async function apiVisitor(url: string) {
  const first = await fetch(`${url}/api/start-dates`)
  const token = cookieOf(first, xsrfCookie)
  const own = { cookie: `${xsrfCookie}=${token}`, [xsrfHeader]: token }
  return {
    /** The XSRF token that the product gave. */
    token,
    get: (path: string, headers: Headers = {}) => fetch(`${url}/api/${path}`, { headers }),
    /** Sends an object as JSON, and a text or stream unchanged. */
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

/** The value that a reply sets a cookie to; empty if it does not set the cookie. */
export function cookieOf(reply: Response, name: string): string {
  const found = reply.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1).split(';')[0] ?? ''
}

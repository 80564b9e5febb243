import type { InProcessProduct } from '#tests/product/start-in-process.ts'

type Headers = Readonly<Record<string, string>>

/** The console's origin. */
export const openConsole = ({ consoleLink }: Pick<InProcessProduct, 'consoleLink'>): string =>
  new URL(consoleLink).origin

/** Signs in with a link, and then requests pages and posts forms as the console's own pages do. */
export async function signIn(link: string) {
  const reply = await fetch(link, { redirect: 'manual' })
  return signedIn(new URL(link).origin, reply)
}

/** Continues as the operator whom this reply has signed in. */
export async function signedIn(origin: string, reply: Response) {
  if (reply.status !== 303) throw new Error(`not signed in: ${reply.status} ${await reply.text()}`)
  return visitorOf(origin, reply.headers.getSetCookie())
}

/** Somebody at the sign-in page. */
export const visitor = async (origin: string) =>
  visitorOf(origin, (await fetch(`${origin}/sign-in`)).headers.getSetCookie())

/** A client with these cookies, signed in or not. */
async function visitorOf(origin: string, setCookies: readonly string[]) {
  const setCookie = setCookies.find((cookie) => cookie.startsWith('console=')) ?? ''
  const cookie = setCookie.split(';')[0] ?? ''
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const get = (path: string, more: Headers = {}) =>
    fetch(origin + path, { headers: { cookie, ...more }, redirect: 'manual' })
  const token = await tokenAt(get)
  const form = (fields: Headers) => new URLSearchParams({ token, ...fields })
  return {
    origin,
    cookie,
    setCookie,
    headers,
    form,
    get,
    post: (path: string, fields: Headers = {}) =>
      fetch(origin + path, {
        method: 'POST',
        headers: { ...headers, origin },
        body: form(fields),
        redirect: 'manual',
      }),
  }
}

export type SignedIn = Awaited<ReturnType<typeof visitorOf>>

/** The token that the forms of the client's pages repeat. */
async function tokenAt(get: (path: string) => Promise<Response>): Promise<string> {
  for (const path of ['/', '/sign-in']) {
    const page = await (await get(path)).text()
    const found = /name="token" value="([^"]+)"/.exec(page)?.[1]
    if (found !== undefined) return found
  }
  return ''
}

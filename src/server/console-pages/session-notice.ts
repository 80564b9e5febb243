import { getCookie, setCookie } from 'hono/cookie'
import { isSameSecret, sign } from '#server/operators/secrets.ts'
import type { ConsoleContext } from './console-env.ts'

/** The result of an action, in words and without personal data. */
export interface SessionNotice {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  /** The id of a lead that the notice links to. */
  readonly lead?: string | undefined
}

const name = 'console-notice'

/**
 * Passes the result of an action to the page that the operator is redirected to, in a cookie for that page that is read
 * once. The cookie is signed with the session's secret, so that only the console can make one.
 */
export function makeSessionNotice(origin: () => string) {
  const attributes = (path: string, maxAge: number) => ({
    path,
    maxAge,
    httpOnly: true,
    sameSite: 'Strict' as const,
    secure: origin().startsWith('https:'),
  })
  return {
    redirect: (c: ConsoleContext, address: string, notice: SessionNotice): Response => {
      const [path = '/'] = address.split('?')
      const payload = Buffer.from(JSON.stringify(notice)).toString('base64url')
      setCookie(c, name, `${payload}.${signatureOf(c, path, payload)}`, attributes(path, 60))
      return c.redirect(address, 303)
    },
    take: (c: ConsoleContext): SessionNotice | undefined => {
      const { path } = c.req
      const [payload = '', signature = ''] = (getCookie(c, name) ?? '').split('.')
      if (payload === '') return undefined
      setCookie(c, name, '', attributes(path, 0))
      if (!isSameSecret(signature, signatureOf(c, path, payload))) return undefined
      return JSON.parse(Buffer.from(payload, 'base64url').toString())
    },
  }
}

export type SessionNoticeCookie = ReturnType<typeof makeSessionNotice>

const signatureOf = (c: ConsoleContext, path: string, payload: string): string =>
  sign(c.get('secret'), `notice ${path} ${payload}`)

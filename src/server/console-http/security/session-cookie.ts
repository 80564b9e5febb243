import { getCookie, setCookie } from 'hono/cookie'
import { hostPrefix } from '#contract/own-api.ts'
import type { ConsoleContext } from '../console-env.ts'

const day = 24 * 60 * 60

/**
 * The browser's secret. Over https under a name that no neighbouring host can set. `Lax`: a link in a message leads to
 * the page that it names, and not to the sign-in; what writes is asked where it comes from in any case.
 */
export function makeSessionCookie(origin: () => string) {
  const isSecure = () => origin().startsWith('https:')
  const nameOf = (name: string) => (isSecure() ? hostPrefix + name : name)
  const attributes = (seconds: number) => ({
    path: '/',
    httpOnly: true,
    sameSite: 'Lax' as const,
    secure: isSecure(),
    maxAge: seconds,
  })
  return {
    read: (c: ConsoleContext): string => getCookie(c, nameOf('console')) ?? '',
    write: (c: ConsoleContext, secret: string) =>
      setCookie(c, nameOf('console'), secret, attributes(day)),
    drop: (c: ConsoleContext) => setCookie(c, nameOf('console'), '', attributes(0)),
    /** The page that was asked for before the sign-in; a cookie, as an address would be kept by what stands between. */
    wanted: (c: ConsoleContext): string => {
      const path = getCookie(c, nameOf('console-wanted')) ?? '/'
      return isOwnPath(path) ? path : '/'
    },
    want: (c: ConsoleContext, path: string) =>
      setCookie(c, nameOf('console-wanted'), path, attributes(600)),
    wantNothing: (c: ConsoleContext) => setCookie(c, nameOf('console-wanted'), '', attributes(0)),
  }
}

export type SessionCookie = ReturnType<typeof makeSessionCookie>

/** `//host` and `/\host` are other sites to a browser. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\p{Cc}]*$/u.test(path)

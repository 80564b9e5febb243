/** Sends requests with the cookies of each host, and follows redirects on request. */
export function cookieBrowser() {
  const jar = new Map<string, Map<string, string>>()

  const cookiesOf = (url: URL) => {
    const found = jar.get(url.host) ?? new Map<string, string>()
    jar.set(url.host, found)
    return found
  }
  const ask = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(address)
    const cookies = cookiesOf(url)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0(;|$)/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }
  return {
    ask,
    cookies: (host: string): ReadonlyMap<string, string> => jar.get(host) ?? new Map(),
    setCookie: (host: string, name: string, value: string) =>
      cookiesOf(new URL(`http://${host}`)).set(name, value),
    forget: (host: string) => jar.delete(host),
    /** Follows redirects until one leads to an address with the given start, and resolves with that address. */
    follow: async (from: string | URL, until: string): Promise<string> => {
      let url = String(from)
      for (let step = 0; step < 10; step++) {
        if (url.startsWith(until)) return url
        const location = (await ask(url)).headers.get('location')
        if (location === null) throw new Error(`${new URL(url).pathname} leads nowhere`)
        url = new URL(location, url).href
      }
      throw new Error('redirected without end')
    },
  }
}

export type CookieBrowser = ReturnType<typeof cookieBrowser>

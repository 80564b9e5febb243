import { createHmac, timingSafeEqual } from 'node:crypto'
import { newSecret } from '../secrets.ts'

const day = 24 * 60 * 60 * 1000

/** How long a browser is known after its last session, in milliseconds. */
export const knownFor = 180 * day

/** A cookie that is older is made anew while its operator works, in milliseconds. */
const renewedAfter = 30 * day

/**
 * Cookies of browsers that have signed in to an account. One grants nothing but tries of its own, so that others' guesses do not
 * keep its operator out. Each is signed for one account, and its name tells that account to this console alone.
 */
export function makeKnownBrowsers(readSecret: () => Promise<string>, clock: () => number) {
  const sign = async (...parts: readonly unknown[]): Promise<string> =>
    createHmac('sha256', await readSecret())
      .update(JSON.stringify(parts))
      .digest('base64url')
  const read = async (email: string, cookie: string) => {
    const [id = '', madeAt = '', seal = ''] = cookie.split('.')
    const wanted = await sign('browser', email, id, madeAt)
    const isOurs = seal.length === wanted.length && timingSafeEqual(bytes(seal), bytes(wanted))
    const age = clock() - Number(madeAt)
    return isOurs && age < knownFor ? { id, age } : undefined
  }
  return {
    /** The cookie's name for an account, whether there is one or not. */
    nameFor: async (email: string): Promise<string> =>
      `console-known-${(await sign('name', email)).slice(0, 16)}`,
    /** What its tries are counted by; undefined where the cookie is not the account's, is too old or was made up. */
    idOf: async (email: string, cookie: string): Promise<string | undefined> =>
      (await read(email, cookie))?.id,
    isFresh: async (email: string, cookie: string): Promise<boolean> => {
      const known = await read(email, cookie)
      return known !== undefined && known.age < renewedAfter
    },
    make: async (email: string): Promise<string> => {
      const id = newSecret().slice(0, 22)
      const madeAt = String(clock())
      return `${id}.${madeAt}.${await sign('browser', email, id, madeAt)}`
    },
  }
}

export type KnownBrowsers = ReturnType<typeof makeKnownBrowsers>

// Two texts of one length in characters may differ in bytes; a signature is ASCII.
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

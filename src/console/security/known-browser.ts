import { createMiddleware } from 'hono/factory'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { areSecretsEqual, makeSecret, signText } from '#server/operators/secrets.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'

const knownCookie = 'console-known'

/** How long the console knows a browser after its first sign-in, in seconds. */
const knownBrowserLifetime = 180 * 24 * 60 * 60

/**
 * Returns the id of a browser in which somebody has signed in to the account before; undefined for other browsers. The
 * server counts a known browser's attempts separately, so that other people's guesses don't delay the operator. The
 * browser's cookie is valid for one account and doesn't name the account.
 */
export async function findKnownBrowser(
  services: ConsoleServices,
  c: ConsoleContext,
  email: string,
): Promise<string | undefined> {
  const [id = '', signature = ''] = services.cookie.read(c, knownCookie).split('.')
  const expected = await signBrowserId(services, toEmailAddress(email), id)
  return areSecretsEqual(signature, expected) ? id : undefined
}

/** Marks each browser with a session as known, however its operator signed in. */
export const rememberBrowser = (services: ConsoleServices) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    await next()
    const email = c.get('session')?.operator.email
    if (email === undefined || (await findKnownBrowser(services, c, email)) !== undefined) return
    const id = makeSecret().slice(0, 22)
    const known = `${id}.${await signBrowserId(services, email, id)}`
    services.cookie.write(c, knownCookie, known, knownBrowserLifetime)
  })

const signBrowserId = async (
  { operators }: ConsoleServices,
  email: string,
  id: string,
): Promise<string> =>
  signText(await operators.readSharedSecret('console known browsers'), JSON.stringify([email, id]))

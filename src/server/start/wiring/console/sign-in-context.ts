import { randomBytes } from 'node:crypto'
import { callbackPath } from '#server/console-pages/single-sign-on.tsx'
import { OpenIdProvider } from '#server/operators/openid-provider.ts'
import type { SignInContext } from '#server/operators/operator.ts'
import { limitOwnActions } from '#server/operators/sign-in-attempts.ts'
import type { SingleSignOn } from '#server/operators/single-sign-on.ts'
import { Lazy } from '#server/platform/memory.ts'
import type { RoleParts } from '../role-parts.ts'

/** The context of the console's functions on operators. */
export function makeSignInContext(
  { store, clock }: Pick<RoleParts, 'store' | 'clock'>,
  origin: () => string,
): SignInContext {
  const secrets = new Map<string, Lazy<string>>()
  const secretOf = (name: string): Lazy<string> => {
    const made = () => randomBytes(32).toString('hex')
    const secret = secrets.get(name) ?? new Lazy(() => store.sharedSecret(name, made))
    secrets.set(name, secret)
    return secret
  }
  return {
    ...store.operators,
    audit: limitOwnActions(store.audit, store.operators.db),
    clock,
    origin,
    sharedSecret: (name) => secretOf(name).get(),
  }
}

/** Undefined where no provider is set up. */
export function makeSingleSignOn(
  { settings, clock, log }: Pick<RoleParts, 'settings' | 'clock' | 'log'>,
  origin: () => string,
): SingleSignOn | undefined {
  const signOn = settings.console.singleSignOn
  if (signOn === undefined) return undefined
  const redirectUri = () => origin() + callbackPath
  return {
    settings: signOn,
    provider: new OpenIdProvider({ settings: signOn, redirectUri, log, clock }),
  }
}

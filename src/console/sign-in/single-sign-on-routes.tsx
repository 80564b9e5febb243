import { Hono } from 'hono'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleServices,
  oidcCallbackPath,
} from '#console/console-services.ts'
import { signInPath } from '#console/security/require-session.ts'
import { makeProblemMessage } from '#domain/operator/messages.ts'
import { capitalize } from '#domain/text/formats.ts'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import { describeOtherIssuer } from '#server/operators/openid-provider.ts'
import { endSession } from '#server/operators/sessions.ts'
import {
  type AuthorizationOutcome,
  type AuthorizationPurpose,
  finishAuthorization,
  type SingleSignOn,
  startAuthorization,
} from '#server/operators/single-sign-on.ts'
import { SignInPage } from './sign-in-page.tsx'

const signOnPath = '/sign-in/oidc'
const ticketCookie = 'console-ticket'

/** The path for operators who have to authenticate again at the single sign-on provider. */
export const reauthenticationPath = `${signOnPath}?login=again`

type SingleSignOnServices = ConsoleServices & { readonly singleSignOn: SingleSignOn }

/**
 * Routes that redirect to the single sign-on provider and handle the return from the provider. Pages use links to these
 * routes, because the content security policy forbids forms that lead to the provider.
 */
export function singleSignOnRoutes(services: SingleSignOnServices) {
  const { operators, cookie, singleSignOn } = services
  return new Hono<ConsoleEnv>()
    .get(signOnPath, async (c) => {
      // A prefetch must not start a sign-in at the provider.
      if (c.req.header('sec-purpose') !== undefined) return c.redirect(signInPath, 303)
      const { login, to } = c.req.query()
      const purpose: AuthorizationPurpose =
        login === 'again'
          ? login
          : login === 'another' || cookie.hasSignedOut(c)
            ? 'another'
            : 'sign-in'
      const request = { browserSecret: c.get('secret'), purpose }
      const authorization = await startAuthorization(operators, singleSignOn, request)
      if ('kind' in authorization) return showSignInFailure(services, c, authorization)
      if (to !== undefined) cookie.keepReturnPath(c, to)
      cookie.write(c, ticketCookie, authorization.ticket, 600)
      return c.redirect(authorization.address, 303)
    })
    .get(oidcCallbackPath, async (c) => {
      const session = c.get('session')
      const query = new URL(c.req.url).search
      const answer = { query, ticket: cookie.take(c, ticketCookie), browserSecret: c.get('secret') }
      const outcome = await finishAuthorization(operators, singleSignOn, answer, c.get('source'))
      if (outcome.kind === 'signed in') {
        if (session !== undefined) await endSession(operators.db, session.id, session.operator.id)
        return cookie.signIn(c, outcome.secret)
      }
      // An operator who reloads the callback page is already signed in.
      if (outcome.kind === 'stale' && session !== undefined) return c.redirect('/', 303)
      return showSignInFailure(services, c, outcome)
    })
}

function showSignInFailure(
  { singleSignOn }: SingleSignOnServices,
  c: ConsoleContext,
  outcome: SignInFailure,
) {
  const { settings } = singleSignOn
  const problem = makeProblemMessage(...describeSignInFailure(outcome, settings))
  // The person may have another account at the provider.
  const provider = { name: settings.name, href: `${signOnPath}?login=another` }
  const page = <SignInPage singleSignOn={provider} />
  const isUnusable = outcome.kind === 'unreachable' || outcome.kind === 'other issuer'
  return c.render(page, problem, isUnusable ? 503 : 403)
}

type SignInFailure = Exclude<AuthorizationOutcome, { kind: 'signed in' }>

/** Explains why the sign-in failed and who can fix it. */
function describeSignInFailure(
  outcome: SignInFailure,
  { name, verifiedClaim, roles: { claim, meaning } }: SingleSignOnSettings,
): readonly [heading: string, text: string] {
  const capitalName = capitalize(name)
  const roleNames = Object.values(meaning).flat().join(', ')
  const code = outcome.kind === 'refused' ? outcome.code : ''
  const issuer = outcome.kind === 'other issuer' ? outcome.issuer : ''
  const texts: Readonly<Record<SignInFailure['kind'], readonly [heading: string, text: string]>> = {
    'no role': [
      'You have no role on this console',
      `${capitalName} knows you, but its claim “${claim}” gives you none of these roles: ${roleNames}. Ask the provider’s administrator for a role, then sign in again.`,
    ],
    disabled: [
      'Your account is disabled',
      `An admin of this console can enable it on the Operators page. ${capitalName} can’t.`,
    ],
    'no email': [
      'Your email address is not verified',
      `The first sign-in needs an email address that ${name} has verified (its claim “${verifiedClaim}”). Verify your email address there, or ask the provider’s administrator.`,
    ],
    taken: [
      'Your email address belongs to another operator here',
      `The operator with this address signs in with another account of ${name}. If that account is yours, the server’s administrator can unlink it with the command “operators unlink <email>”.`,
    ],
    'not confirmed': [
      'That didn’t confirm it’s you',
      `${capitalName} doesn’t say that you have just signed in there. Use a passkey or a password instead. If you have neither, sign in with a sign-in link and add one under your account.`,
    ],
    stale: [
      'That sign-in has expired',
      'The sign-in began in another browser or more than ten minutes ago, or is already complete. Start again.',
    ],
    refused: [
      `${capitalName} did not sign you in`,
      `Try again. If it happens again, tell the server’s administrator the code in the log: ${code}.`,
    ],
    'other issuer': [
      `${capitalName} is not set up correctly`,
      `${describeOtherIssuer(issuer)}. Passkeys and passwords work meanwhile.`,
    ],
    unreachable: [
      `${capitalName} can’t be reached at the moment`,
      'The console tries again each time you try to sign in. Passkeys and passwords work meanwhile.',
    ],
  }
  return texts[outcome.kind]
}

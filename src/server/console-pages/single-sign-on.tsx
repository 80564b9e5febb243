import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { SignInPage, SignOnRefusedPage } from '#console/sign-in/sign-in-page.tsx'
import type { SingleSignOnSettings } from '#server/config/settings.ts'
import {
  type AuthorizationOutcome,
  type AuthorizationPurpose,
  finishAuthorization,
  purposeOf,
  type SingleSignOn,
  startAuthorization,
} from '#server/operators/single-sign-on.ts'
import { confirmPath, requestOf, showConfirm } from './confirm.tsx'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from './console-env.ts'
import { signInPath } from './security/require-session.ts'

/** Administrators register both addresses with the provider, so they must not change. */
const signOnPath = '/sign-in/oidc'
export const callbackPath = '/sign-in/oidc/callback'

type SignOnParts = ConsoleParts & { readonly singleSignOn: SingleSignOn }

/**
 * Routes for the redirect to the provider and the return from it. Only links lead there, because the content security
 * policy keeps forms on the console.
 */
export function singleSignOn(parts: SignOnParts) {
  const { operators, cookie, browserOf, singleSignOn } = parts
  return new Hono<ConsoleEnv>()
    .get(signOnPath, (c) => {
      const forcesLogin = c.req.query('account') === 'another' || cookie.hasSignedOut(c)
      return redirectToProvider(parts, c, { purpose: 'sign-in', forcesLogin })
    })
    .get(callbackPath, async (c) => {
      const ticket = cookie.takeTicket(c)
      const session = c.get('session')
      const query = new URL(c.req.url).search
      const answer = { query, ticket, browserSecret: c.get('secret'), session }
      const outcome = await finishAuthorization(operators, singleSignOn, answer, browserOf(c))
      if (outcome.kind === 'in') return cookie.signIn(c, outcome.secret)
      if (outcome.kind === 'confirmed') return c.redirect(cookie.takeReturnPath(c), 303)
      // An operator who reloads the callback is signed in already.
      if (outcome.kind === 'stale' && session !== undefined) return c.redirect('/', 303)
      return showRefusal(parts, c, outcome, purposeOf(ticket))
    })
}

/** Routes that send a signed-in operator to the provider to confirm their identity. */
export const confirmBySignOn = (parts: SignOnParts) =>
  new Hono<ConsoleEnv>().get(`${confirmPath}/oidc`, (c) => {
    parts.cookie.keepReturnPath(c, requestOf(c.req.query('to')).to)
    return redirectToProvider(parts, c, { purpose: 'confirm', forcesLogin: true })
  })

async function redirectToProvider(
  parts: SignOnParts,
  c: ConsoleContext,
  {
    purpose,
    forcesLogin,
  }: { readonly purpose: AuthorizationPurpose; readonly forcesLogin: boolean },
): Promise<Response> {
  const { operators, cookie, singleSignOn } = parts
  // A prefetch must not start an authorization.
  if (c.req.header('sec-purpose') !== undefined) return c.redirect(signInPath, 303)
  const request = { purpose, browserSecret: c.get('secret'), forcesLogin }
  const authorization = await startAuthorization(operators, singleSignOn, request)
  if (authorization === undefined) return showRefusal(parts, c, { kind: 'away' }, purpose)
  cookie.keepTicket(c, authorization.ticket)
  return c.redirect(authorization.address, 303)
}

function showRefusal(
  parts: SignOnParts,
  c: ConsoleContext,
  outcome: Refused,
  purpose: AuthorizationPurpose,
): Response | Promise<Response> {
  const { shellOf, cookie, singleSignOn } = parts
  const [heading, text] = describeRefusal(outcome, singleSignOn.settings)
  const status = outcome.kind === 'away' ? 503 : 403
  // The provider recognized the person, who may have another account there that the console admits.
  const isAboutPerson = ['no role', 'disabled', 'no email', 'taken', 'not confirmed'].includes(
    outcome.kind,
  )
  if (purpose === 'confirm' && c.get('session') !== undefined) {
    return showConfirm(parts, c, { to: cookie.takeReturnPath(c) }, { heading, text }, status)
  }
  const shell = shellOf(c)
  const { name } = singleSignOn.settings
  const page = isAboutPerson ? (
    <SignOnRefusedPage shell={shell} provider={name} heading={heading} text={text} />
  ) : (
    <SignInPage
      shell={shell}
      problem={{ kind: 'problem', heading, text }}
      singleSignOn={{ name }}
    />
  )
  return c.html(html(page), status)
}

type Refused = Exclude<AuthorizationOutcome, { kind: 'in' | 'confirmed' }>

type Heading = string
type Text = string

/** Explains why the sign-in failed and who can fix it. Names come from the configuration, codes from the protocol. */
function describeRefusal(outcome: Refused, settings: SingleSignOnSettings): [Heading, Text] {
  const { name } = settings
  switch (outcome.kind) {
    case 'no role':
      return ['You have no role on this console', noRole(settings)]
    case 'disabled':
      return [
        'Your account is disabled',
        `An admin of this console can enable it on the page Operators. ${capitalized(name)} can’t.`,
      ]
    case 'no email':
      return [
        'Your email address is not verified',
        `The first sign-in needs an email address that ${name} has verified (its claim “${settings.verifiedClaim}”). Verify yours there, or ask its administrator.`,
      ]
    case 'taken':
      return [
        'Your email address belongs to another operator here',
        `The operator with this address signs in with another account of ${name}. If that was you, the server’s administrator can unlink it with the command “operators unlink <email>”.`,
      ]
    case 'not confirmed':
      return [
        'That didn’t confirm it’s you',
        `Sign in with the account of ${name} that you use here. If ${name} doesn’t say when you signed in, confirm with a passkey or a password instead: add one under your account.`,
      ]
    case 'stale':
      return [
        'That sign-in has expired',
        'It began in another browser or more than ten minutes ago, or it was used already. Start again.',
      ]
    case 'refused':
      return [`${capitalized(name)} did not sign you in`, refused(outcome.why)]
    case 'away':
      return providerUnavailable(name)
  }
}

/** The heading and text for a provider that can't be reached. */
export const providerUnavailable = (name: string): [Heading, Text] => [
  `${capitalized(name)} can’t be reached at the moment`,
  'The console tries again each time you ask. Passkeys and passwords work meanwhile.',
]

function noRole({ name, roles: { claim, meaning } }: SingleSignOnSettings): string {
  const words = Object.values(meaning).flat().join(', ')
  return `${capitalized(name)} knows you, but its claim “${claim}” gives you none of these roles: ${words}. Ask its administrator for one, then sign in again.`
}

function refused(code: string): string {
  if (code === 'access_denied') return 'It says that access was denied, or you canceled. Try again.'
  return `Try again. If it happens again, tell the server’s administrator: the log has the same code, ${code}.`
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { SignInPage } from '#console/sign-in/sign-in-page.tsx'
import { SignOnRefusedPage } from '#console/sign-in/sign-on-refused-page.tsx'
import { purposeOf, type TripPurpose } from '#server/operators/single-sign-on/sign-on-trips.ts'
import type { BrowserOf } from '../browser-of.ts'
import { confirmPath, requestOf, type ShowConfirm } from '../confirm.tsx'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { signInPath } from '../security/require-session.ts'
import type { SessionCookie } from '../security/session-cookie.ts'
import type { ShellOf } from '../shell-of.ts'
import { enter } from '../sign-in.tsx'
import { type SaidOfSignOn, saidOfSignOn } from './said-of-sign-on.ts'
import { callbackPath, type SignOnParts, signOnPath } from './sign-on-parts.ts'

export interface SingleSignOnPorts {
  readonly shellOf: ShellOf
  readonly cookie: SessionCookie
  readonly browserOf: BrowserOf
  readonly showConfirm: ShowConfirm
  readonly singleSignOn: SignOnParts
}

/** To the provider and back, for who is not signed in. By links alone. */
export function singleSignOn(ports: SingleSignOnPorts) {
  const { cookie, browserOf, singleSignOn } = ports
  const { settings, useCase } = singleSignOn
  const show = showNotSignedIn(ports)
  return new Hono<ConsoleEnv>()
    .get(signOnPath, (c) => {
      const asksAnew = c.req.query('account') === 'another' || cookie.hasLeft(c)
      return setOut(ports, c, { purpose: 'sign-in', asksAnew })
    })
    .get(callbackPath, async (c) => {
      const ticket = cookie.ticket(c)
      cookie.dropTicket(c)
      const session = c.get('session')
      const answer = {
        query: new URL(c.req.url).search,
        ticket,
        browserSecret: c.get('secret'),
        session,
      }
      const outcome = await useCase.end(answer, browserOf(c))
      if (outcome.kind === 'in') return enter(c, cookie, outcome.secret)
      if (outcome.kind === 'confirmed') return c.redirect(cookie.takeWanted(c), 303)
      // Who reloads the address that they came in by is in.
      if (outcome.kind === 'stale' && session !== undefined) return c.redirect('/', 303)
      return show(c, saidOfSignOn(outcome, settings), purposeOf(ticket))
    })
}

/** The same, to show that it is still the operator who sits there. */
export const confirmBySignOn = (ports: SingleSignOnPorts) =>
  new Hono<ConsoleEnv>().get(`${confirmPath}/oidc`, (c) => {
    ports.cookie.want(c, requestOf(c.req.query('to')).to)
    return setOut(ports, c, { purpose: 'confirm', asksAnew: true })
  })

async function setOut(
  ports: SingleSignOnPorts,
  c: ConsoleContext,
  { purpose, asksAnew }: { readonly purpose: TripPurpose; readonly asksAnew: boolean },
): Promise<Response> {
  const { cookie, singleSignOn } = ports
  // What only looks ahead is not taken along.
  if (c.req.header('sec-purpose') !== undefined) return c.redirect(signInPath, 303)
  const { settings, useCase } = singleSignOn
  const trip = await useCase.begin(purpose, { browserSecret: c.get('secret'), asksAnew })
  if (trip === undefined) {
    const said = saidOfSignOn({ kind: 'away' }, settings)
    return showNotSignedIn(ports)(c, said, purpose)
  }
  cookie.keepTicket(c, trip.ticket)
  return c.redirect(trip.address, 303)
}

const showNotSignedIn =
  ({ shellOf, cookie, showConfirm, singleSignOn }: SingleSignOnPorts) =>
  (c: ConsoleContext, said: SaidOfSignOn, purpose: TripPurpose) => {
    const { heading, text, isPersons, status } = said
    const shell = shellOf(c)
    const { name } = singleSignOn.settings
    if (purpose === 'confirm' && c.get('session') !== undefined) {
      return showConfirm(c, { to: cookie.takeWanted(c) }, { heading, text }, status)
    }
    const page = isPersons ? (
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

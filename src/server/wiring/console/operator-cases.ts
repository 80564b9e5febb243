import { randomBytes } from 'node:crypto'
import { callbackPath } from '#server/console-http/pages/single-sign-on/sign-on-parts.ts'
import { makeOpenIdProvider } from '#server/integrations/openid/openid-provider.ts'
import { makePasskeyCeremony } from '#server/integrations/passkeys/passkey-ceremony.ts'
import { Lazy } from '#server/memory/lazy.ts'
import { makeAcceptInvitation } from '#server/use-cases/operators/accept-invitation.ts'
import { makeExportAudit } from '#server/use-cases/operators/audit/export-audit.ts'
import { makeReadAudit } from '#server/use-cases/operators/audit/read-audit.ts'
import { slowOwnActs } from '#server/use-cases/operators/audit/slow-own-acts.ts'
import { makeMay } from '#server/use-cases/operators/authorise.ts'
import { makeManageOperators } from '#server/use-cases/operators/manage-operators.ts'
import { makeOwnAccount } from '#server/use-cases/operators/own-account.ts'
import { makeConfirmOwn } from '#server/use-cases/operators/sessions/confirm-own.ts'
import { makeKeepForms } from '#server/use-cases/operators/sessions/keep-forms.ts'
import { makeKeepSessions } from '#server/use-cases/operators/sessions/keep-sessions.ts'
import { makeChallenges } from '#server/use-cases/operators/sign-in/challenges.ts'
import { makeKnownBrowsers } from '#server/use-cases/operators/sign-in/known-browsers.ts'
import { makePasskeys } from '#server/use-cases/operators/sign-in/passkeys.ts'
import { makeSignInByLink } from '#server/use-cases/operators/sign-in/sign-in-by-link.ts'
import { makeSignInByPassword } from '#server/use-cases/operators/sign-in/sign-in-by-password.ts'
import { makeSignOnTrips } from '#server/use-cases/operators/single-sign-on/sign-on-trips.ts'
import { makeSingleSignOn } from '#server/use-cases/operators/single-sign-on/single-sign-on.ts'
import type { RoleParts } from '../role-parts.ts'

/** Who works on the console: how they come in, who they are, what they did. */
export function makeOperatorCases(
  { settings, store, clock, log }: Pick<RoleParts, 'settings' | 'store' | 'clock' | 'log'>,
  origin: () => string,
) {
  const { accounts, links, sessions, credentials, identities, failures, forms } = store.operators
  const audit = slowOwnActs(store.audit, failures)
  const keepSessions = makeKeepSessions(sessions, clock)
  const passwords = { credentials, failures, audit, clock }
  const invitation = makeAcceptInvitation({
    accounts,
    links,
    credentials,
    sessions,
    keepSessions,
    audit,
    clock,
  })
  const readSecretOf = (what: string) => () =>
    store.sharedSecret(what, () => randomBytes(32).toString('hex'))
  const knownSecret = new Lazy(readSecretOf('console known browsers'))
  const confirmOwn = makeConfirmOwn({ ...passwords, sessions })
  const signOn = settings.console.singleSignOn
  const singleSignOn = signOn && {
    settings: signOn,
    useCase: makeSingleSignOn({
      ...{ accounts, identities, sessions, audit, clock, keepSessions, confirmOwn },
      roles: signOn.roles,
      verifiedClaim: signOn.verifiedClaim,
      provider: makeOpenIdProvider({
        settings: signOn,
        redirectUri: () => origin() + callbackPath,
        log,
        clock,
      }),
      trips: makeSignOnTrips(readSecretOf('console sign-on'), clock),
    }),
  }
  return {
    sessions,
    keepSessions,
    audit,
    signInByPassword: makeSignInByPassword({ ...passwords, keepSessions }),
    signInByLink: makeSignInByLink({ accounts, links, keepSessions, audit, clock }),
    knownBrowsers: makeKnownBrowsers(() => knownSecret.get(), clock),
    singleSignOn,
    invitation,
    confirmOwn,
    keepForms: makeKeepForms(forms, clock),
    passkeys: makePasskeys({
      accounts,
      credentials,
      ceremony: makePasskeyCeremony(origin),
      challenges: makeChallenges(readSecretOf('console challenges'), clock),
      keepSessions,
      invitation,
      audit,
      clock,
    }),
    ownAccount: makeOwnAccount({ credentials, sessions, keepSessions, audit, clock }),
    manageOperators: makeManageOperators({ accounts, links, identities, audit, clock }),
    readAudit: makeReadAudit({ audit: store.forConsole.audit, accounts, clock }),
    exportAudit: makeExportAudit({ audit: store.forConsole.audit, clock }),
    may: makeMay(clock),
  }
}

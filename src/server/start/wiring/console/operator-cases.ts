import { randomBytes } from 'node:crypto'
import { callbackPath } from '#server/console-pages/single-sign-on/sign-on-parts.ts'
import { makeAcceptInvitation } from '#server/operators/accept-invitation.ts'
import { makeExportAudit } from '#server/operators/audit/export-audit.ts'
import { makeReadAudit } from '#server/operators/audit/read-audit.ts'
import { slowOwnActs } from '#server/operators/audit/slow-own-acts.ts'
import { makeMay } from '#server/operators/authorise.ts'
import { makeManageOperators } from '#server/operators/manage-operators.ts'
import { makeOpenIdProvider } from '#server/operators/openid/openid-provider.ts'
import { makeOwnAccount } from '#server/operators/own-account.ts'
import { makePasskeyCeremony } from '#server/operators/passkeys/passkey-ceremony.ts'
import { makeConfirmOwn } from '#server/operators/sessions/confirm-own.ts'
import { makeKeepSessions } from '#server/operators/sessions/keep-sessions.ts'
import { makeChallenges } from '#server/operators/sign-in/challenges.ts'
import { makeKnownBrowsers } from '#server/operators/sign-in/known-browsers.ts'
import { makePasskeys } from '#server/operators/sign-in/passkeys.ts'
import { makeSignInByLink } from '#server/operators/sign-in/sign-in-by-link.ts'
import { makeSignInByPassword } from '#server/operators/sign-in/sign-in-by-password.ts'
import { makeSignOnTrips } from '#server/operators/single-sign-on/sign-on-trips.ts'
import { makeSingleSignOn } from '#server/operators/single-sign-on/single-sign-on.ts'
import { Lazy } from '#server/platform/memory/lazy.ts'
import type { RoleParts } from '../role-parts.ts'

/** Who works on the console: how they come in, who they are, what they did. */
export function makeOperatorCases(
  { settings, store, clock, log }: Pick<RoleParts, 'settings' | 'store' | 'clock' | 'log'>,
  origin: () => string,
) {
  const { accounts, links, sessions, credentials, identities, failures } = store.operators
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

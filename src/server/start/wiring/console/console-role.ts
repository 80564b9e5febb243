import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { consoleApp } from '#server/console-pages/console-app.tsx'
import { LiveUpdates } from '#server/console-pages/live/live-updates.ts'
import { callbackPath } from '#server/console-pages/single-sign-on.tsx'
import { demoSignInLink, disableDemoOperator } from '#server/operators/links.ts'
import { OpenIdProvider } from '#server/operators/openid-provider.ts'
import { limitOwnActions } from '#server/operators/sign-in-attempts.ts'
import { makeVisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { RoleParts } from '../role-parts.ts'
import { makeLeadFunctions } from './lead-functions.ts'

export interface ConsoleRoleParts extends Omit<RoleParts, 'outside'> {
  readonly assets: ConsoleAssets
  /** The folder of the built scripts; undefined in development. */
  readonly assetFolder: string | undefined
  /** Returns the programs that are currently offered. */
  readonly programs: () => readonly Program[]
  /** Called when a job was started or changed. */
  readonly onJob: () => void
  /** See health.ts. */
  readonly checkStore: () => Promise<void>
}

/** Makes the operators' pages, which have their own listener. */
export function makeConsoleRole(parts: ConsoleRoleParts) {
  const { settings, store, metrics, clock, log, checkStore, assets, assetFolder } = parts
  const live = new LiveUpdates({
    readChanges: store.readLatestChanges,
    failureLog: parts.failureLogOf('open pages of the console'),
  })
  metrics.watchStreams(() => live.count)
  let isDraining = false
  let address = settings.console.origin ?? `http://127.0.0.1:${settings.console.port}`
  const origin = () => address
  const { singleSignOn } = settings.console
  const app = consoleApp({
    origin,
    isDemo: settings.mode === 'demo',
    isSecure: address.startsWith('https:'),
    assets,
    assetFolder,
    log,
    clock,
    checkStore,
    readBreaker: () => store.breaker.read(),
    metrics: metrics.registry,
    countSignInRefused: metrics.countSignInRefused,
    isDraining: () => isDraining,
    visitorIp: makeVisitorIp(settings.trustedProxies),
    programs: parts.programs,
    // Port 0 means any free port, which is known only once the site listens, perhaps in another process.
    siteOrigin: settings.siteOrigin.endsWith(':0') ? undefined : settings.siteOrigin,
    live,
    operators: {
      ...store.operators,
      audit: limitOwnActions(store.audit, store.operators.db),
      clock,
      origin,
      sharedSecret: store.sharedSecret,
    },
    boundedAudit: store.forConsole.audit,
    singleSignOn: singleSignOn && {
      settings: singleSignOn,
      provider: new OpenIdProvider({
        settings: singleSignOn,
        redirectUri: () => origin() + callbackPath,
        log,
      }),
    },
    ...makeLeadFunctions({ ...parts, countRevealsRefused: metrics.countRevealsRefused }),
  })
  return {
    fetch: app.fetch,
    onAnswered: metrics.countResponse,
    /** Every page and call with its method, for tests that visit all of them. */
    routes: app.routes,
    /**
     * Sets the port that the console listens on. Resolves with the address for an operator, which in the demo includes
     * a link that signs in.
     */
    listening: async (port: number): Promise<string> => {
      address = settings.console.origin ?? `http://127.0.0.1:${port}`
      if (settings.mode === 'demo') return demoSignInLink(store.operators, address, clock())
      await disableDemoOperator(store.operators.db, clock())
      return address
    },
    drain: () => {
      isDraining = true
      live.stop()
    },
  }
}

import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import { consoleApp } from '#server/console-http/console-app.tsx'
import { makeVisitorIp } from '#server/http/security/visitor-ip.ts'
import { keepAWhile } from '#server/memory/keep-a-while.ts'
import { demoSignInLink, disableDemoOperator } from '#server/use-cases/operators/demo-operator.ts'
import { makeKeepSessions } from '#server/use-cases/operators/keep-sessions.ts'
import { makeReadOverview } from '#server/use-cases/operators/read-overview.ts'
import { makeSignInByLink } from '#server/use-cases/operators/sign-in-by-link.ts'
import type { RoleParts } from './role-parts.ts'

export interface ConsoleRoleParts extends Omit<RoleParts, 'outside' | 'metrics'> {
  readonly assets: ConsoleAssets
  /** Where the built scripts lie; undefined while developing. */
  readonly assetFolder: string | undefined
  /** See health.ts. */
  readonly checkStore: () => Promise<void>
}

/** To count a million leads takes 0.3 s: one part in a hundred of the store's time, as for the metrics. */
const statsHeldTimes = 100

/** What operators are served, on a listener of its own. */
export function makeConsoleRole(parts: ConsoleRoleParts) {
  const { settings, store, clock, log, checkStore, assets, assetFolder } = parts
  const { accounts, links, sessions } = store.operators
  const { audit, archive } = store
  const keepSessions = makeKeepSessions(sessions, clock)
  let isDraining = false
  let origin = settings.console.origin ?? `http://127.0.0.1:${settings.console.port}`
  const app = consoleApp({
    origin: () => origin,
    isSecure: origin.startsWith('https:'),
    assets,
    assetFolder,
    log,
    clock,
    checkStore,
    isDraining: () => isDraining,
    visitorIp: makeVisitorIp(settings.trustedProxies),
    keepSessions,
    sessions,
    audit,
    signInByLink: makeSignInByLink({ accounts, links, keepSessions, audit, clock }),
    readOverview: makeReadOverview({
      stats: keepAWhile(() => archive.stats(clock()), statsHeldTimes),
      readBreaker: () => store.breaker.read(),
      archive,
      clock,
    }),
  })
  return {
    fetch: app.fetch,
    /** Every page and call with its method, for who walks them all. */
    routes: app.routes,
    /**
     * Says where it listens; resolves with the address for an operator, in the demo with a link that signs in.
     */
    listening: async (port: number): Promise<string> => {
      origin = settings.console.origin ?? `http://127.0.0.1:${port}`
      if (settings.mode === 'demo') return demoSignInLink({ accounts, links }, origin, clock())
      await disableDemoOperator(accounts, clock())
      return origin
    },
    drain: () => {
      isDraining = true
    },
  }
}

export type ConsoleRole = ReturnType<typeof makeConsoleRole>

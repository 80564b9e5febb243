import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import type { HoldDeliveries } from '#server/delivery/hold-deliveries.ts'
import type { ReadDeliveries } from '#server/delivery/read-deliveries.ts'
import type { ActOnLead } from '#server/jobs/act-on-lead.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { makeBrowseLeads } from '#server/leads/browse-leads.ts'
import type { makeExportFoundLeads } from '#server/leads/export-leads.ts'
import type { LeadArchive } from '#server/leads/read-leads.ts'
import type { ReviewQuarantine } from '#server/leads/review-quarantine.ts'
import type { ManageViews } from '#server/leads/saved-views.ts'
import type { makeSearchForPerson } from '#server/leads/search-leads.ts'
import type { ViewLead } from '#server/leads/view-lead.ts'
import type { AuditLog } from '#server/operators/audit.ts'
import type { ConsoleActor, SignInContext } from '#server/operators/operator.ts'
import type { OpenSession } from '#server/operators/sessions.ts'
import type { SingleSignOn } from '#server/operators/single-sign-on.ts'
import type { HealthPorts } from '#server/platform/http/health.ts'
import type { VisitorIp } from '#server/platform/http/visitor-ip.ts'
import type { RefusedSignIn } from './console-metrics.ts'
import type { KnownProgram } from './leads/filter-form.ts'
import type { LiveUpdates } from './live/live-updates.ts'
import type { OverviewSources } from './read-overview.ts'
import type { BrowserOf } from './security/require-session.ts'
import type { SessionCookie } from './security/session-cookie.ts'
import type { SessionNoticeCookie } from './session-notice.ts'
import type { ShellOf, ShowMessage } from './shell-of.tsx'

/** A request's context after its session was looked up. */
export interface ConsoleEnv {
  Variables: {
    /** The secret in the cookie. A browser that is not signed in has a secret, too. */
    secret: string
    session: OpenSession | undefined
    actor: ConsoleActor
  }
}

export type ConsoleContext = Context<ConsoleEnv>

export interface ConsoleSetup {
  /** The console's public origin, known once the console listens. */
  readonly origin: () => string
  readonly isSecure: boolean
  /** True in demo mode, false in production. */
  readonly isDemo: boolean
  /** The site's public origin; undefined if it is unknown. */
  readonly siteOrigin: string | undefined
  readonly assets: ConsoleAssets
  /** The folder of the built scripts; undefined during development. */
  readonly assetFolder: string | undefined
  readonly visitorIp: VisitorIp
  readonly log: Logger
  readonly metrics: Registry
  readonly countSignInRefused: (reason: RefusedSignIn) => void
  /** Rejects if the store is unreachable, not migrated or read-only. */
  readonly checkStore: () => Promise<void>
  readonly readBreaker: HealthPorts['readBreaker']
  readonly isDraining: () => boolean
  /** Returns the current time, in epoch milliseconds. */
  readonly clock: () => number
  readonly live: LiveUpdates
  readonly operators: SignInContext
  /** Single sign-on; undefined if it is not configured. */
  readonly singleSignOn: SingleSignOn | undefined
  /** The audit log with a time limit for queries. */
  readonly boundedAudit: AuditLog
  /** Returns the programs that visitors can choose now. */
  readonly programs: () => readonly KnownProgram[]
  readonly overview: OverviewSources
  readonly archive: Pick<LeadArchive, 'list'>
  readonly browseLeads: ReturnType<typeof makeBrowseLeads>
  readonly searchForPerson: ReturnType<typeof makeSearchForPerson>
  readonly manageViews: ManageViews
  readonly exportFoundLeads: ReturnType<typeof makeExportFoundLeads>
  readonly viewLead: ViewLead
  readonly actOnLead: ActOnLead
  readonly reviewQuarantine: ReviewQuarantine
  readonly jobs: Jobs
  readonly readDeliveries: ReadDeliveries
  readonly holdDeliveries: HoldDeliveries
}

export interface ConsoleParts extends ConsoleSetup {
  readonly cookie: SessionCookie
  readonly notice: SessionNoticeCookie
  readonly shellOf: ShellOf
  readonly showMessage: ShowMessage
  readonly browserOf: BrowserOf
}

/** Returns the signed-in operator with the id of their session. */
export const ownSession = (c: ConsoleContext) => ({
  actor: c.get('actor'),
  sessionId: c.get('session')?.id ?? '',
})

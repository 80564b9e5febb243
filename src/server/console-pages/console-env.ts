import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import type { HoldDeliveries } from '#server/delivery/delivery-holds.ts'
import type { NameGroups } from '#server/delivery/name-groups.ts'
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

/** A request's context once its session has been looked up. */
export interface ConsoleEnv {
  Variables: {
    /** The secret in the cookie: a session's, or that of a browser that is not signed in. */
    secret: string
    session: OpenSession | undefined
    actor: ConsoleActor
  }
}

export type ConsoleContext = Context<ConsoleEnv>

/** What the process gives the console. */
export interface ConsoleSetup {
  /** The public origin, known once the console listens. */
  readonly origin: () => string
  readonly isSecure: boolean
  /** Demo mode, rather than production. */
  readonly isDemo: boolean
  /** The site's; undefined where it is not known. */
  readonly siteOrigin: string | undefined
  readonly assets: ConsoleAssets
  /** The folder of the built scripts; undefined in development. */
  readonly assetFolder: string | undefined
  readonly visitorIp: VisitorIp
  readonly log: Logger
  readonly metrics: Registry
  readonly countSignInRefused: (reason: RefusedSignIn) => void
  /** Rejects where the store cannot be reached, is not migrated or takes no writes. */
  readonly checkStore: () => Promise<void>
  readonly readBreaker: HealthPorts['readBreaker']
  readonly isDraining: () => boolean
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly live: LiveUpdates
  readonly operators: SignInContext
  /** Undefined where it is not set up. */
  readonly singleSignOn: SingleSignOn | undefined
  /** The audit log with a limit on how long a query may take. */
  readonly boundedAudit: AuditLog
  /** The programs on offer now. */
  readonly programs: () => readonly KnownProgram[]
  readonly overview: OverviewSources
  readonly nameGroups: NameGroups
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

/** Everything that a page uses. */
export interface ConsoleParts extends ConsoleSetup {
  readonly cookie: SessionCookie
  readonly notice: SessionNoticeCookie
  readonly shellOf: ShellOf
  readonly showMessage: ShowMessage
  readonly browserOf: BrowserOf
}

/** The operator in their session. */
export const ownSession = (c: ConsoleContext) => ({
  actor: c.get('actor'),
  sessionId: c.get('session')?.id ?? '',
})

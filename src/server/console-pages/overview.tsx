import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { OverviewPage } from '#console/overview/overview-page.tsx'
import { html } from '#console/render.ts'
import { shownStatus } from '#domain/lead/lead-status.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { knownZone, median } from '#server/leads/lead-figures.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { ConsoleEnv } from './console-env.ts'
import type { Overview } from './overview/read-overview.ts'
import { byItselfHeader } from './security/require-session.ts'
import type { ShellOf } from './shell-of.ts'

export interface OverviewPorts {
  readonly shellOf: ShellOf
  readonly readOverview: (actor: Actor, zone: string) => Promise<Overview>
  /** Undefined where it is not known. */
  readonly siteOrigin: string | undefined
  readonly clock: () => number
}

/** Counts that are older are asked for again soon, by a page that follows; in milliseconds. */
const oldCounts = 500
const askAgainIn = 2000
const askAgainWhenCalm = 10_000

export const overview = ({ shellOf, readOverview, siteOrigin, clock }: OverviewPorts) =>
  new Hono<ConsoleEnv>().get('/', async (c) => {
    const zone = knownZone(getCookie(c, 'console-zone'))
    const read = await readOverview(c.get('actor'), zone ?? 'UTC')
    const {
      stats,
      days,
      byStatus,
      first,
      firstDue,
      inDoubt,
      affiliates,
      answers,
      breaker,
      notStored,
      failing,
      latest,
      countedAt,
    } = read
    const [today, ...before] = days
    // A day of which the store knows nothing compares with nothing.
    const compared = before.filter(
      ({ spans }) => first.lead !== undefined && spans.whole.until > first.lead,
    )
    const mayReveal = isAllowed(c.get('actor').role, 'reveal a lead')
    const isFirstLook = zone === undefined && c.req.header(byItselfHeader) === undefined
    const isOld = clock() - countedAt > oldCounts
    return c.html(
      html(
        <OverviewPage
          shell={shellOf(c)}
          site={siteOrigin}
          now={clock()}
          leads={stats.leads}
          facts={{
            breaker,
            notStored,
            failing,
            dueSince: firstDue,
            pending: stats.byStatus.pending,
            inDoubt,
            unreadable: stats.unreadable,
            dead: { count: stats.byStatus.dead, since: first.dead },
            quarantined: { count: stats.byStatus.quarantined, since: first.quarantined },
            answers,
            received: today?.soFar ?? 0,
            least:
              compared.length < 7 ? undefined : Math.min(...compared.map(({ soFar }) => soFar)),
          }}
          today={
            today && {
              zone,
              day: today,
              byStatus: mayReveal ? byStatus : { ...byStatus, duplicate: 0 },
              before: compared,
              usual: median(compared.map(({ soFar }) => soFar)),
            }
          }
          affiliates={affiliates.map((one) => ({
            ...one,
            affiliate: escapeInvisible(one.affiliate),
          }))}
          latest={latest.map((lead) => ({
            ...lead,
            status: shownStatus(lead.status, mayReveal),
            initials: escapeInvisible(lead.initials),
          }))}
          // A store that refuses writes notifies no page.
          askAgainIn={
            isFirstLook ? 0 : isOld || notStored !== undefined ? askAgainIn : askAgainWhenCalm
          }
        />,
      ),
    )
  })

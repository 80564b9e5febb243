import { Hono } from 'hono'
import { OverviewPage } from '#console/overview/overview-page.tsx'
import { html } from '#console/render.ts'
import { leadStatuses } from '#domain/lead/lead-status.ts'
import { breakerInWords } from '#server/use-cases/deliveries/breaker-in-words.ts'
import type { Actor } from '#server/use-cases/operators/operator.ts'
import type { Overview } from '#server/use-cases/operators/read-overview.ts'
import type { ConsoleEnv } from '../console-env.ts'
import type { ShellOf } from '../shell-of.ts'

export interface OverviewPorts {
  readonly shellOf: ShellOf
  readonly readOverview: (actor: Actor) => Promise<Overview>
}

export const overview = ({ shellOf, readOverview }: OverviewPorts) =>
  new Hono<ConsoleEnv>().get('/', async (c) => {
    const { stats, breaker, latest } = await readOverview(c.get('actor'))
    return c.html(
      html(
        <OverviewPage
          shell={shellOf(c)}
          counts={leadStatuses.map((status) => [status, stats.byStatus[status]])}
          leads={stats.leads}
          hold={breakerInWords(breaker)}
          breaker={breaker}
          latest={latest}
        />,
      ),
    )
  })

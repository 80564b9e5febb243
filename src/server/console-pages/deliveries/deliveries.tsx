import { Hono } from 'hono'
import { DeliveriesPage, type DeliveriesPageProps } from '#console/deliveries/deliveries-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { DeliveriesView } from '#domain/delivery/deliveries-view.ts'
import { hiddenResponse } from '#domain/delivery/describe-outcome.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { figuresOf } from '#server/delivery/delivery-rollups.ts'
import { maxReasonLength } from '#server/delivery/hold-deliveries.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { timedCache, timesAsLong } from '#server/platform/timed-cache.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from '../console-env.ts'
import { readForm, reasonFault, refusedFields } from '../read-form.ts'
import type { SessionNotice } from '../session-notice.ts'

const path = '/deliveries'

/** Counting takes some milliseconds per ten thousand waiting leads. This factor limits counting to a tenth of the time. */
const countsCacheFactor = 10

export function deliveries({ store, shellOf, notice, holdDeliveries, clock }: ConsoleParts) {
  const { backlog, breaker, index, rollups } = store.forConsole
  const readCounts = timedCache(
    async () => ({
      backlog: await backlog.read(clock()),
      groups: await index.errorGroups.list(),
      figures: await figuresOf(rollups, clock()),
    }),
    timesAsLong(countsCacheFactor),
  )
  const readView = async (actor: ConsoleActor): Promise<DeliveriesView> => {
    const now = clock()
    authorise(actor, 'see deliveries', now)
    const [counts, state] = await Promise.all([readCounts(), breaker.read()])
    return {
      ...counts,
      breaker: state,
      groups: isAllowed(actor.role, 'reveal a lead')
        ? counts.groups
        : counts.groups.map((group) => ({ ...group, words: hiddenResponse })),
      now,
    }
  }
  const show = async (
    c: ConsoleContext,
    more: Pick<DeliveriesPageProps, 'message' | 'reason'> = {},
  ): Promise<Response> => {
    const view = await readView(c.get('actor'))
    const page = (
      <DeliveriesPage shell={shellOf(c)} view={view} message={more.message} reason={more.reason} />
    )
    return c.html(renderHtml(page), more.reason === undefined ? 200 : 400)
  }
  const act = async (c: ConsoleContext, what: 'pause' | 'resume'): Promise<Response> => {
    const { reason } = await readForm(c, 'reason')
    const fault = reasonFault(reason, maxReasonLength)
    if (fault !== undefined) return show(c, { message: refusedFields({ reason: fault }), reason })
    const isChanged = await holdDeliveries(c.get('actor'), what, reason)
    return notice.redirect(c, path, notices[what][isChanged ? 'changed' : 'unchanged'])
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c, { message: notice.take(c) }))
    .post(`${path}/pause`, (c) => act(c, 'pause'))
    .post(`${path}/resume`, (c) => act(c, 'resume'))
}

const notices = {
  pause: {
    changed: {
      kind: 'well',
      heading: 'Deliveries are paused',
      text: 'Attempts under way finish; no other begins after one second.',
    },
    unchanged: {
      kind: 'note',
      heading: 'Deliveries were already paused',
      text: 'The reason and the time were updated.',
    },
  },
  resume: {
    changed: {
      kind: 'well',
      heading: 'Deliveries are running',
      text: 'Waiting leads are sent within a second, the oldest first.',
    },
    unchanged: {
      kind: 'note',
      heading: 'Deliveries were not on hold',
      text: 'Nothing was changed.',
    },
  },
} as const satisfies Record<string, Record<string, SessionNotice>>

import { Hono } from 'hono'
import { DeliveriesPage, type DeliveriesPageProps } from '#console/deliveries/deliveries-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { DeliveriesView } from '#domain/delivery/deliveries-view.ts'
import { hiddenResponseLabel } from '#domain/delivery/outcome.ts'
import { isAllowed } from '#domain/operator/rights.ts'
import { readAttemptChart } from '#server/delivery/delivery-rollups.ts'
import { maxReasonLength } from '#server/delivery/pause-deliveries.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '../console-env.ts'
import { makePauseNotice } from '../lead/action-notices.ts'
import { findReasonError, makeFieldErrors, readForm } from '../read-form.ts'

const path = '/deliveries'

/** Caches counts for this many times the duration of counting, some milliseconds per ten thousand waiting leads. */
const countsCacheFactor = 10

export function deliveryRoutes({ store, shellOf, notice, holdDeliveries, clock }: ConsoleServices) {
  const { backlog, breaker, index, rollups } = store.forConsole
  const readCounts = makeTimedCache(
    async () => ({
      backlog: await backlog.read(clock()),
      groups: await index.listErrorGroups(),
      figures: await readAttemptChart(rollups, clock()),
    }),
    makeProportionalLifetime(countsCacheFactor),
  )
  const readView = async (actor: ConsoleActor): Promise<DeliveriesView> => {
    const now = clock()
    authorize(actor, 'see deliveries', now)
    const [counts, state] = await Promise.all([readCounts(), breaker.read()])
    return {
      ...counts,
      breaker: state,
      groups: isAllowed(actor.role, 'reveal a lead')
        ? counts.groups
        : counts.groups.map((group) => ({ ...group, words: hiddenResponseLabel })),
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
    const fault = findReasonError(reason, maxReasonLength)
    if (fault !== undefined) return show(c, { message: makeFieldErrors({ reason: fault }), reason })
    const isChanged = await holdDeliveries(c.get('actor'), what, reason)
    return notice.redirect(c, path, makePauseNotice(what, isChanged))
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c, { message: notice.take(c) }))
    .post(`${path}/pause`, (c) => act(c, 'pause'))
    .post(`${path}/resume`, (c) => act(c, 'resume'))
}

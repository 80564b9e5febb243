import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { hiddenResponseLabel } from '#domain/delivery/outcome.ts'
import type { Message } from '#domain/operator/messages.ts'
import { findReasonError, makeFieldMessage } from '#domain/operator/messages.ts'
import { isAllowed } from '#domain/operator/permissions.ts'
import { makePauseMessage } from '#server/delivery/action-messages.ts'
import { readAttemptChart } from '#server/delivery/delivery-rollups.ts'
import {
  maxPauseReasonLength,
  namePauser,
  type PauseAct,
} from '#server/delivery/pause-deliveries.ts'
import { authorize } from '#server/operators/authorize.ts'
import { makeProportionalLifetime, makeTimedCache } from '#server/platform/timed-cache.ts'
import { DeliveriesPage } from './deliveries-page.tsx'

const path = '/deliveries'

/** The cache keeps counts this many times as long as counting them took. */
const countsCacheFactor = 10

export function deliveryRoutes({ store, flash, pauseDeliveries, clock }: ConsoleServices) {
  const { backlog, breaker, index, rollups } = store.forConsole
  const readCounts = makeTimedCache(
    async () => ({
      backlog: await backlog.read(clock()),
      groups: await index.listErrorGroups(),
      figures: await readAttemptChart(rollups, clock()),
    }),
    makeProportionalLifetime(countsCacheFactor),
  )
  const show = async (c: ConsoleContext, message?: Message, reason?: string): Promise<Response> => {
    const { role } = c.get('actor')
    const now = clock()
    authorize(c.get('actor'), 'see deliveries', now)
    const [counts, state] = await Promise.all([readCounts(), breaker.read()])
    const named = await namePauser(store.audit, c.get('actor'), state)
    const groups = isAllowed(role, 'reveal a lead')
      ? counts.groups
      : counts.groups.map((group) => ({ ...group, words: hiddenResponseLabel }))
    const view = { ...counts, groups, breaker: named, now }
    const shown = { view, period: c.req.query('errors'), message, reason }
    const page = <DeliveriesPage {...shown} />
    return c.render(page, reason === undefined ? 200 : 400)
  }
  const pauseOrResume = async (c: ConsoleContext, act: PauseAct): Promise<Response> => {
    const { reason } = await readForm(c, 'reason')
    const fault = findReasonError(reason, maxPauseReasonLength)
    if (fault !== undefined) return show(c, makeFieldMessage({ reason: fault }), reason)
    const isChanged = await pauseDeliveries(c.get('actor'), act, reason)
    return flash.redirect(c, path, makePauseMessage(act, isChanged))
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c, flash.take(c)))
    .post(`${path}/pause`, (c) => pauseOrResume(c, 'pause'))
    .post(`${path}/resume`, (c) => pauseOrResume(c, 'resume'))
    .post(`${path}/try`, (c) => pauseOrResume(c, 'tryNow'))
}

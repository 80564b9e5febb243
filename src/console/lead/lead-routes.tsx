import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { makeReviewUrl } from '#console/quarantine/quarantine-routes.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { manualSettlements } from '#domain/delivery/delivery.ts'
import type { LeadView } from '#domain/lead/lead-details.ts'
import { inDoubtLeadsUrl } from '#domain/lead/lead-filter.ts'
import {
  type FlashMessage,
  findReasonError,
  makeFieldMessage,
  maxLeadReasonLength,
} from '#domain/operator/messages.ts'
import {
  makeErasureMessage,
  makeReleaseMessage,
  makeRetryMessage,
  makeSettleMessage,
} from '#server/delivery/action-messages.ts'
import { describeFailureCause } from '#server/delivery/describe-failure-cause.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import {
  ErasePage,
  type ErasePageProps,
  SettlePage,
  type SettlePageProps,
} from './erase-and-settle-pages.tsx'
import { isErasable, listPossibleSettlements } from './lead-actions.tsx'
import { LeadPage } from './lead-page.tsx'

/** Routes for one lead. Only the reply to `reveal` shows personal data, so a reload masks the data again. */
export function leadRoutes({ store, flash, viewLead, leadActions }: ConsoleServices) {
  const show = async (c: ConsoleContext, found: LeadView | undefined, message?: FlashMessage) => {
    if (found === undefined) return showUnknown(c)
    const breaker = await namePauser(store.audit, c.get('actor'), found.breaker)
    const view = { ...found, breaker }
    const cause = describeFailureCause(view.record, view.breaker, () => '')
    return c.render(<LeadPage view={view} cause={cause} message={message} />)
  }
  const showUnknown = (c: ConsoleContext) => {
    const text =
      'There is no lead with this reference. Check it for typing errors: the thank-you page shows a visitor the full reference.'
    return showError(c, 'No such lead', text, 404)
  }
  const redirectToLead = (c: ConsoleContext, id: string, message: FlashMessage) =>
    flash.redirect(c, makeLeadPath(id), message)
  const showSettlePage = async (
    c: ConsoleContext,
    id: string,
    shown: Pick<SettlePageProps, 'returnsToLeadsInDoubt' | 'problem' | 'typed'>,
  ) => {
    const record = await viewLead.findForConfirmation(c.get('actor'), 'settle deliveries', id)
    if (record === undefined) return showUnknown(c)
    const choices = listPossibleSettlements(record)
    if (choices.length === 0) return c.redirect(makeLeadPath(id), 303)
    const page = { id, status: record.status, choices, back: makeLeadPath(id) }
    return c.render(<SettlePage {...page} {...shown} />, shown.problem)
  }
  const showErasePage = async (
    c: ConsoleContext,
    id: string,
    { review, problem, reason }: Pick<ErasePageProps, 'review' | 'problem' | 'reason'>,
  ) => {
    const record = await viewLead.findForConfirmation(c.get('actor'), 'erase leads', id)
    if (record === undefined) return showUnknown(c)
    const back = review === undefined ? makeLeadPath(id) : makeReviewUrl(review)
    if (!isErasable(record)) return c.redirect(back, 303)
    const page = { id, status: record.status, back, review, problem, reason }
    return c.render(<ErasePage {...page} />, problem)
  }

  return new Hono<ConsoleEnv>()
    .get('/leads/:id', async (c) => {
      const id = c.req.param('id')
      return show(c, await viewLead.masked(c.get('actor'), id), flash.take(c))
    })
    .post('/leads/:id/reveal', async (c) =>
      show(c, await viewLead.revealed(c.get('actor'), c.req.param('id'))),
    )
    .get('/leads/:id/reveal', (c) => c.redirect(makeLeadPath(c.req.param('id')), 303))
    .post('/leads/:id/retry', async (c) => {
      const id = c.req.param('id')
      const outcome = await leadActions.retry(c.get('actor'), id)
      return outcome.kind === 'unknown'
        ? showUnknown(c)
        : redirectToLead(c, id, makeRetryMessage(outcome))
    })
    .post('/leads/:id/release', async (c) => {
      const id = c.req.param('id')
      const outcome = await leadActions.release(c.get('actor'), id)
      return outcome.kind === 'unknown'
        ? showUnknown(c)
        : redirectToLead(c, id, makeReleaseMessage(outcome))
    })
    .get('/leads/:id/settle', (c) =>
      showSettlePage(c, c.req.param('id'), {
        returnsToLeadsInDoubt: c.req.query('restored') !== undefined,
      }),
    )
    .post('/leads/:id/settle', async (c) => {
      const id = c.req.param('id')
      const { as, reason, restored } = await readForm(c, 'as', 'reason', 'restored')
      const returnsToLeadsInDoubt = restored !== ''
      const answer = manualSettlements.find((settled) => settled === as)
      const reasonError = findReasonError(reason, maxLeadReasonLength)
      if (answer === undefined || reasonError !== undefined) {
        const asError = answer === undefined && 'Choose the distributor’s answer.'
        const problem = makeFieldMessage({ as: asError, reason: reasonError })
        return showSettlePage(c, id, { returnsToLeadsInDoubt, problem, typed: { as, reason } })
      }
      const outcome = await leadActions.settle(c.get('actor'), id, answer, reason.trim())
      const result = makeSettleMessage(outcome, answer)
      const isKnown = outcome.kind !== 'unknown'
      if (!returnsToLeadsInDoubt) return isKnown ? redirectToLead(c, id, result) : showUnknown(c)
      return flash.redirect(c, inDoubtLeadsUrl, isKnown ? { ...result, lead: id } : result)
    })
    .get('/leads/:id/erase', (c) =>
      showErasePage(c, c.req.param('id'), { review: c.req.query('review') }),
    )
    .post('/leads/:id/erase', async (c) => {
      const id = c.req.param('id')
      const { reason, lacks, ...form } = await readForm(c, 'reason', 'review')
      const review = lacks('review') ? undefined : form.review
      const reasonError = findReasonError(reason, maxLeadReasonLength)
      if (reasonError !== undefined) {
        const problem = makeFieldMessage({ reason: reasonError }, 'Nothing was erased')
        return showErasePage(c, id, { review, problem, reason })
      }
      const erased = await leadActions.erase(c.get('actor'), { leadId: id }, reason.trim())
      const back = review === undefined ? makeLeadPath(id) : makeReviewUrl(review)
      return flash.redirect(c, back, makeErasureMessage(erased))
    })
}

const makeLeadPath = (id: string): string => `/leads/${encodeURIComponent(id)}`

import { Hono } from 'hono'
import {
  ErasePage,
  type ErasePageProps,
  SettlePage,
  type SettlePageProps,
} from '#console/lead/erase-and-settle-pages.tsx'
import { isErasable, possibleSettlements } from '#console/lead/lead-actions.tsx'
import { LeadPage } from '#console/lead/lead-page.tsx'
import { renderHtml } from '#console/render.ts'
import { inDoubtLeadsUrl } from '#console/shell/lead-link.tsx'
import type { Message } from '#console/shell/message.tsx'
import { manualSettlements } from '#domain/delivery/delivery.ts'
import type { LeadView } from '#domain/lead/lead-details.ts'
import type { FlashMessage } from '#server/console-pages/console-env.ts'
import { describeFailureCause } from '#server/delivery/describe-failure-cause.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '../console-env.ts'
import { makeReviewUrl } from '../quarantine.tsx'
import { findReasonError, makeFieldErrors, maxLeadReasonLength, readForm } from '../read-form.ts'
import {
  makeErasureNotice,
  makeReleaseNotice,
  makeRetryNotice,
  makeSettleNotice,
} from './action-notices.ts'

export function leadRoutes({ shellOf, showMessage, notice, viewLead, actOnLead }: ConsoleServices) {
  const show = (c: ConsoleContext, view: LeadView | undefined, message?: FlashMessage) => {
    if (view === undefined) return unknown(c)
    const cause = describeFailureCause(view.record, view.breaker, () => '')
    return c.html(
      renderHtml(<LeadPage shell={shellOf(c)} view={view} cause={cause} message={message} />),
    )
  }
  const unknown = (c: ConsoleContext) => {
    const text =
      'There is no lead with this reference. Check it for typing errors: the thank-you screen shows a visitor the full reference.'
    return showMessage(c, 'No such lead', text, 404)
  }
  const goBack = (c: ConsoleContext, id: string, message: FlashMessage) =>
    notice.redirect(c, makeLeadPath(id), message)
  const showSettlePage = async (c: ConsoleContext, id: string, given: GivenOfSettling) => {
    const record = await viewLead.beforeActing(c.get('actor'), 'settle deliveries', id)
    if (record === undefined) return unknown(c)
    const choices = possibleSettlements(record)
    if (choices.length === 0) return c.redirect(makeLeadPath(id), 303)
    const page = { shell: shellOf(c), id, status: record.status, choices, back: makeLeadPath(id) }
    return c.html(renderHtml(<SettlePage {...page} {...given} />), given.problem ? 422 : 200)
  }
  const askBeforeErasing = async (
    c: ConsoleContext,
    id: string,
    { review, problem, reason }: GivenOfErasure,
  ) => {
    const record = await viewLead.beforeActing(c.get('actor'), 'erase leads', id)
    if (record === undefined) return unknown(c)
    const back = review === undefined ? makeLeadPath(id) : makeReviewUrl(review)
    if (!isErasable(record)) return c.redirect(back, 303)
    const page = { shell: shellOf(c), id, status: record.status, back, review, problem, reason }
    return c.html(renderHtml(<ErasePage {...page} />), problem ? 422 : 200)
  }

  return (
    new Hono<ConsoleEnv>()
      .get('/leads/:id', async (c) => {
        const id = c.req.param('id')
        return show(c, await viewLead.masked(c.get('actor'), id), notice.take(c))
      })
      // Only this reply shows the revealed data, so a reload masks the data again.
      .post('/leads/:id/reveal', async (c) =>
        show(c, await viewLead.revealed(c.get('actor'), c.req.param('id'))),
      )
      .get('/leads/:id/reveal', (c) => c.redirect(makeLeadPath(c.req.param('id')), 303))
      .post('/leads/:id/retry', async (c) => {
        const id = c.req.param('id')
        const outcome = await actOnLead.retry(c.get('actor'), id)
        return outcome.kind === 'unknown' ? unknown(c) : goBack(c, id, makeRetryNotice(outcome))
      })
      .post('/leads/:id/release', async (c) => {
        const id = c.req.param('id')
        const outcome = await actOnLead.release(c.get('actor'), id)
        return outcome.kind === 'unknown' ? unknown(c) : goBack(c, id, makeReleaseNotice(outcome))
      })
      .get('/leads/:id/settle', (c) =>
        showSettlePage(c, c.req.param('id'), {
          isOfRestored: c.req.query('restored') !== undefined,
        }),
      )
      .post('/leads/:id/settle', async (c) => {
        const id = c.req.param('id')
        const { as, reason, restored } = await readForm(c, 'as', 'reason', 'restored')
        const isOfRestored = restored !== ''
        const answer = manualSettlements.find((settled) => settled === as)
        const tooLong = findReasonError(reason, maxLeadReasonLength)
        if (answer === undefined || tooLong !== undefined) {
          const problem = makeFieldErrors({
            ...(answer === undefined ? { as: 'Choose what the distributor says.' } : {}),
            ...(tooLong === undefined ? {} : { reason: tooLong }),
          })
          return showSettlePage(c, id, { isOfRestored, problem, typed: { as, reason } })
        }
        const outcome = await actOnLead.settle(c.get('actor'), id, answer, reason.trim())
        const result = makeSettleNotice(outcome, answer)
        const isKnown = outcome.kind !== 'unknown'
        if (!isOfRestored) return isKnown ? goBack(c, id, result) : unknown(c)
        return notice.redirect(c, inDoubtLeadsUrl, isKnown ? { ...result, lead: id } : result)
      })
      .get('/leads/:id/erase', (c) =>
        askBeforeErasing(c, c.req.param('id'), { review: c.req.query('review') }),
      )
      .post('/leads/:id/erase', async (c) => {
        const id = c.req.param('id')
        const form = await readForm(c, 'reason', 'review')
        const review = form.lacks('review') ? undefined : form.review
        const tooLong = findReasonError(form.reason, maxLeadReasonLength)
        if (tooLong !== undefined) {
          const { reason } = form
          return askBeforeErasing(c, id, { review, problem: makeErasureError(tooLong), reason })
        }
        const erased = await actOnLead.erase(c.get('actor'), { leadId: id }, form.reason.trim())
        const back = review === undefined ? makeLeadPath(id) : makeReviewUrl(review)
        return notice.redirect(c, back, makeErasureNotice(erased))
      })
  )
}

const makeErasureError = (reason: string): Message => ({
  kind: 'problem',
  heading: 'Nothing was erased',
  fields: { reason },
})

type GivenOfErasure = Pick<ErasePageProps, 'review' | 'problem' | 'reason'>

type GivenOfSettling = Pick<SettlePageProps, 'isOfRestored' | 'problem' | 'typed'>

const makeLeadPath = (id: string): string => `/leads/${encodeURIComponent(id)}`

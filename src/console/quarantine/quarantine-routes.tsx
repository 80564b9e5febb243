import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { formatCursor, parseCursor } from '#console/leads/leads-url.ts'
import { readForm } from '#console/requests/read-form.ts'
import { isLeadId } from '#domain/lead/lead.ts'
import { type Message, makeProblemMessage, makeSuccessMessage } from '#domain/operator/messages.ts'
import { makeReleaseMessage } from '#server/delivery/action-messages.ts'
import { releaseUndoWindowMs } from '#server/leads/release-leads.ts'
import type { QuarantineReview } from '#server/leads/review-quarantine.ts'
import { QuarantinePage } from './quarantine-page.tsx'

const path = '/quarantine'

/**
 * Routes that show one quarantined lead at a time and let the operator release, reveal or skip it. Only the reply to
 * `reveal` shows personal data.
 */
export function quarantineRoutes(services: ConsoleServices) {
  const { flash, quarantineReviewer, leadActions } = services
  const show = (
    c: ConsoleContext,
    { lead, waiting }: QuarantineReview,
    after: string,
    problem?: Message,
  ) => {
    const { released = '' } = c.req.query()
    const more = waiting.isAll ? '' : 'More than '
    const count = waiting.count.toLocaleString('en-US')
    const page = (
      <QuarantinePage
        after={after}
        lead={lead && { ...lead, cursor: formatCursor(lead.view.record.lead) }}
        released={isLeadId(released) ? released : undefined}
        waiting={waiting.count === 0 ? '' : `${more}${count} in quarantine`}
      />
    )
    return c.render(page, problem, problem && 400)
  }

  return new Hono<ConsoleEnv>()
    .get(path, async (c) => {
      const { after = '' } = c.req.query()
      const cursor = parseCursor(after)
      const isInvalid = after !== '' && cursor === undefined
      const review = await quarantineReviewer.showNext(c.get('actor'), cursor)
      return isInvalid ? show(c, review, '', invalidCursorMessage) : show(c, review, after)
    })
    .post(`${path}/release`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      const outcome = await leadActions.release(c.get('actor'), id, releaseUndoWindowMs)
      return outcome.kind === 'due'
        ? flash.redirect(c, makeReviewUrl(after, id), releasedMessage)
        : flash.redirect(c, makeReviewUrl(after), makeReleaseMessage(outcome))
    })
    .post(`${path}/postpone`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      return (await leadActions.postponeRelease(c.get('actor'), id, releaseUndoWindowMs))
        ? flash.redirect(c, makeReviewUrl(after, id), releasedMessage)
        : flash.redirect(c, makeReviewUrl(after), tooLateMessage)
    })
    .post(`${path}/undo`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      const isUndone = await leadActions.undoRelease(c.get('actor'), id)
      return flash.redirect(c, makeReviewUrl(after), isUndone ? undoneMessage : tooLateMessage)
    })
    .post(`${path}/reveal`, async (c) => {
      const { id, after } = await readForm(c, 'id', 'after')
      const review = await quarantineReviewer.reveal(c.get('actor'), id)
      return review === undefined
        ? flash.redirect(c, makeReviewUrl(after), notQuarantinedMessage)
        : show(c, review, after)
    })
    .get(`${path}/reveal`, (c) => c.redirect(path, 303))
}

const releasedMessage = makeSuccessMessage(
  `A worker sends the lead in ${releaseUndoWindowMs / 1000} seconds`,
  'Until then, you can undo the release or wait longer.',
)
const undoneMessage = makeSuccessMessage('Release undone: the lead stays in quarantine')
const tooLateMessage = makeProblemMessage(
  'Too late: the lead was sent, or its release was undone. Nothing was changed',
)
const invalidCursorMessage = makeProblemMessage(
  'The URL isn’t valid. The page shows the oldest lead',
)
const notQuarantinedMessage = makeProblemMessage('This lead is no longer in quarantine')

/**
 * @param after the cursor in the URL; an invalid cursor starts the review at the first lead
 * @param released the id of a lead whose release can be undone
 */
export function makeReviewUrl(after: string, released?: string): string {
  const query = new URLSearchParams({
    ...(parseCursor(after) === undefined ? {} : { after }),
    ...(released === undefined ? {} : { released }),
  })
  return query.size === 0 ? path : `${path}?${query}`
}

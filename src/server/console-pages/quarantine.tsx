import { Hono } from 'hono'
import { QuarantinePage } from '#console/quarantine/quarantine-page.tsx'
import { html } from '#console/render.ts'
import { undoWindowMs } from '#server/leads/release-leads.ts'
import type { QuarantineReview } from '#server/leads/review-quarantine.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleParts } from './console-env.ts'
import { releaseNotice } from './lead/action-notices.ts'
import { formatPlace, parsePlace } from './leads/leads-address.ts'
import { readForm } from './read-form.ts'
import type { SessionNotice } from './session-notice.ts'

const path = '/quarantine'

/** Routes that show one suspicious lead at a time, with the decisions about it. */
export function quarantine({ shellOf, notice, reviewQuarantine }: ConsoleParts) {
  const show = (
    c: ConsoleContext,
    { lead, left, held }: QuarantineReview,
    { after, message }: { readonly after: string; readonly message?: SessionNotice | undefined },
  ) => {
    const page = (
      <QuarantinePage
        shell={shellOf(c)}
        after={after}
        lead={lead && { ...lead, place: formatPlace(lead.view.record.lead) }}
        held={held.map(({ leadId, dueAt, operatorId }) => ({
          id: leadId,
          dueAt,
          isOwn: operatorId === c.get('actor').id,
        }))}
        left={
          left.leads === 0
            ? ''
            : `${left.isAll ? '' : 'More than '}${left.leads.toLocaleString('en-US')} to review`
        }
        message={message}
      />
    )
    return c.html(html(page), message === noPlace ? 400 : 200)
  }
  /** Runs a decision about the posted lead, and returns to its place in the quarantine. */
  const act = async (c: ConsoleContext, run: (id: string) => Promise<SessionNotice>) => {
    const { id, after } = await readForm(c, 'id', 'after')
    return notice.redirect(c, reviewAddress(after), await run(id))
  }

  return (
    new Hono<ConsoleEnv>()
      .get(path, async (c) => {
        const { after = '' } = c.req.query()
        const place = parsePlace(after)
        const isWrong = after !== '' && place === undefined
        const review = await reviewQuarantine.look(c.get('actor'), place)
        const message = isWrong ? noPlace : notice.take(c)
        return show(c, review, { after: isWrong ? '' : after, message })
      })
      .post(`${path}/release`, (c) =>
        act(c, async (id) => {
          const outcome = await reviewQuarantine.release(c.get('actor'), id)
          return outcome.kind === 'held' || outcome.kind === 'held already'
            ? waits(`The lead is released in ${seconds} seconds`)
            : releaseNotice(outcome)
        }),
      )
      .post(`${path}/postpone`, (c) =>
        act(c, async (id) =>
          (await reviewQuarantine.postpone(c.get('actor'), id))
            ? waits(`You have ${seconds} seconds more`)
            : tooLate,
        ),
      )
      .post(`${path}/undo`, (c) =>
        act(c, async (id) =>
          (await reviewQuarantine.undo(c.get('actor'), id)) ? undone : tooLate,
        ),
      )
      // Only this reply shows the revealed data, as on the lead's own page.
      .post(`${path}/reveal`, async (c) => {
        const { id, after } = await readForm(c, 'id', 'after')
        const review = await reviewQuarantine.reveal(c.get('actor'), id, parsePlace(after))
        return review === undefined
          ? notice.redirect(c, reviewAddress(after), gone)
          : show(c, review, { after })
      })
      .get(`${path}/reveal`, (c) => c.redirect(path, 303))
  )
}

const seconds = undoWindowMs / 1000

const waits = (heading: string): SessionNotice => ({
  kind: 'well',
  heading,
  text: 'Until then you can undo the release or wait longer.',
})
const undone: SessionNotice = {
  kind: 'well',
  heading: 'Release undone: the lead stays in quarantine',
}
const tooLate: SessionNotice = {
  kind: 'problem',
  heading: 'Too late: the lead is already released, or its release was undone. Nothing was changed',
}
const noPlace: SessionNotice = {
  kind: 'problem',
  heading: 'That address isn’t valid. This is the oldest lead',
}
const gone: SessionNotice = { kind: 'problem', heading: 'This lead has already been decided' }

/** @param after the place of a lead, as in the address; an invalid place starts the review at the first lead */
export const reviewAddress = (after: string): string =>
  parsePlace(after) === undefined ? path : `${path}?after=${after}`

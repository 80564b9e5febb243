import { Hono } from 'hono'
import { ErasePage } from '#console/lead/decision-pages.tsx'
import { isErasable } from '#console/lead/lead-acts.tsx'
import { QuarantinePage } from '#console/quarantine/quarantine-page.tsx'
import { html } from '#console/render.ts'
import type { ActOnLead } from '#server/jobs/act-on-lead.ts'
import type { LeadPlace } from '#server/leads/find-leads.ts'
import type { QuarantineReview, ReviewQuarantine } from '#server/leads/review-quarantine.ts'
import type { ViewLead } from '#server/leads/view-lead.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import { erasureNotice } from '../lead/action-notices.ts'
import { notErased, type RefusedErasure } from '../lead/one-lead.tsx'
import { longestLeadReason, readForm, reasonFault } from '../read-form.ts'
import type { SessionNotice, SessionNoticeCookie } from '../session-notice.ts'
import type { ShellOf } from '../shell-of.ts'
import { heldReleaseNotice, postponementNotice, undoNotice } from './decision-notices.ts'
import { shownReview } from './shown-review.ts'

export interface QuarantinePorts {
  readonly shellOf: ShellOf
  readonly notice: SessionNoticeCookie
  readonly reviewQuarantine: ReviewQuarantine
  readonly viewLead: ViewLead
  readonly actOnLead: ActOnLead
}

const path = '/quarantine'

/** One suspicious lead after the other, and what is decided about it. */
export function quarantine(ports: QuarantinePorts) {
  const { shellOf, notice, reviewQuarantine, viewLead, actOnLead } = ports
  const show = (c: ConsoleContext, review: QuarantineReview, { after, said }: Asked) =>
    c.html(
      html(
        <QuarantinePage
          shell={shellOf(c)}
          {...shownReview(review, { after, ownId: c.get('actor').id })}
          said={said}
        />,
      ),
      said?.heading === noPlace ? 400 : 200,
    )
  const goOn = (c: ConsoleContext, after: string, said: SessionNotice) => {
    notice.leave(c, path, said)
    return c.redirect(addressOf(after), 303)
  }
  const askBeforeErasing = async (c: ConsoleContext, after: string, refused?: RefusedErasure) => {
    const id = c.req.param('id') ?? ''
    const record = await viewLead.beforeActing(c.get('actor'), 'erase leads', id)
    if (record === undefined || !isErasable(record)) return goOn(c, after, gone)
    const page = (
      <ErasePage
        shell={shellOf(c)}
        id={id}
        status={record.status}
        action={`${path}/${id}/erase`}
        back={addressOf(after)}
        after={after}
        {...refused}
      />
    )
    return c.html(html(page), refused ? 422 : 200)
  }

  return (
    new Hono<ConsoleEnv>()
      .get(path, async (c) => {
        const { after = '' } = c.req.query()
        const place = readPlace(after)
        const isWrong = after !== '' && place === undefined
        const review = await reviewQuarantine.look(c.get('actor'), place)
        const said = isWrong ? { kind: 'problem' as const, heading: noPlace } : notice.take(c)
        return show(c, review, { after: isWrong ? '' : after, said })
      })
      .post(`${path}/release`, async (c) => {
        const { id, after } = await readForm(c, 'id', 'after')
        return goOn(c, after, heldReleaseNotice(await reviewQuarantine.release(c.get('actor'), id)))
      })
      .post(`${path}/postpone`, async (c) => {
        const { id, after } = await readForm(c, 'id', 'after')
        return goOn(
          c,
          after,
          postponementNotice(await reviewQuarantine.postpone(c.get('actor'), id)),
        )
      })
      .post(`${path}/undo`, async (c) => {
        const { id, after } = await readForm(c, 'id', 'after')
        return goOn(c, after, undoNotice(await reviewQuarantine.undo(c.get('actor'), id)))
      })
      // Shown in the reply alone, as on the lead's own page.
      .post(`${path}/reveal`, async (c) => {
        const { id, after } = await readForm(c, 'id', 'after')
        const review = await reviewQuarantine.reveal(c.get('actor'), id, readPlace(after))
        return review === undefined ? goOn(c, after, gone) : show(c, review, { after })
      })
      .get(`${path}/reveal`, (c) => c.redirect(path, 303))
      .get(`${path}/:id/erase`, (c) => askBeforeErasing(c, c.req.query('after') ?? ''))
      .post(`${path}/:id/erase`, async (c) => {
        const id = c.req.param('id')
        const { reason, after } = await readForm(c, 'reason', 'after')
        const tooLong = reasonFault(reason, longestLeadReason)
        if (tooLong !== undefined) {
          return askBeforeErasing(c, after, { problem: notErased(tooLong), reason })
        }
        if ((await viewLead.beforeActing(c.get('actor'), 'erase leads', id)) === undefined) {
          return goOn(c, after, gone)
        }
        const erased = await actOnLead.erase(c.get('actor'), { leadId: id }, reason.trim())
        return goOn(c, after, erasureNotice(erased))
      })
  )
}

interface Asked {
  readonly after: string
  readonly said?: SessionNotice | undefined
}

const noPlace = 'That address isn’t valid. This is the oldest lead'
const gone = {
  kind: 'problem',
  heading: 'This lead has already been decided',
} as const

const addressOf = (after: string): string =>
  readPlace(after) === undefined ? path : `${path}?after=${after}`

/** As in an address: a time, and the lead's reference. */
function readPlace(text: string): LeadPlace | undefined {
  const [, receivedAt, id] = /^(\d{1,15})_([\w-]{1,64})$/.exec(text) ?? []
  return id === undefined ? undefined : { receivedAt: Number(receivedAt), id }
}

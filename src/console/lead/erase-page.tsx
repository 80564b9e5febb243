import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { makeReviewUrl } from '#console/quarantine/quarantine-page.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConfirmPage } from '#console/shell/confirm-page.tsx'
import { ReasonField } from '#console/shell/forms.tsx'
import { LeadsCommand } from '#console/shell/shell.tsx'
import {
  findReasonError,
  type Message,
  makeFieldMessage,
  maxLeadReasonLength,
} from '#domain/operator/messages.ts'
import { makeErasureMessage } from '#server/delivery/action-messages.ts'
import { isErasable, makeLeadPath, showUnknownLead } from './lead-actions.tsx'

/** Asks the operator to confirm an erasure, which cannot be undone. */
export function eraseRoutes({ flash, viewLead, leadActions }: ConsoleServices) {
  /**
   * @param review the cursor of the quarantine page to return to; undefined if the operator comes from the lead's page
   * @param reason the reason that the operator typed, if the server refused the form
   */
  const show = async (
    c: ConsoleContext,
    id: string,
    review: string | undefined,
    reason?: string,
    problem?: Message,
  ) => {
    const record = await viewLead.findForConfirmation(c.get('actor'), 'erase leads', id)
    if (record === undefined) return showUnknownLead(c)
    if (!isErasable(record)) return c.redirect(backTo(id, review), 303)
    const page = (
      <ConfirmPage
        name="Erase this person’s data"
        warning={
          <p>
            Name, address, phone, email and IP address of <code>{id}</code> are erased permanently
            {record.status === 'delivered'
              ? '. Ask the distributor to erase its copy.'
              : ', and the lead is no longer sent.'}
          </p>
        }
        action={`/leads/${id}/erase`}
        fields={{ review }}
        inputs={<ReasonField value={reason} />}
        button="Erase permanently"
        back={backTo(id, review)}
      >
        <p>
          The reference, times, area, program, delivery results, and the consent’s text, time and
          page are kept. Other leads of this person stay; to erase all leads with an email address,
          run <LeadsCommand verb="erase --email" />. Erase the data from backups and earlier exports
          yourself.
        </p>
      </ConfirmPage>
    )
    return c.render(page, problem)
  }

  return new Hono<ConsoleEnv>()
    .get('/leads/:id/erase', (c) => show(c, c.req.param('id'), c.req.query('review')))
    .post('/leads/:id/erase', async (c) => {
      const id = c.req.param('id')
      const { reason, lacks, ...form } = await readForm(c, 'reason', 'review')
      const review = lacks('review') ? undefined : form.review
      const reasonError = findReasonError(reason, maxLeadReasonLength)
      if (reasonError !== undefined) {
        const problem = makeFieldMessage({ reason: reasonError }, 'Nothing was erased')
        return show(c, id, review, reason, problem)
      }
      const erased = await leadActions.erase(c.get('actor'), { leadId: id }, reason.trim())
      return flash.redirect(c, backTo(id, review), makeErasureMessage(erased))
    })
}

const backTo = (id: string, review: string | undefined): string =>
  review === undefined ? makeLeadPath(id) : makeReviewUrl(review)

import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { makeReviewUrl, releasedMessage } from '#console/quarantine/quarantine-page.tsx'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { ConfirmPage } from '#console/shell/edit-form.tsx'
import { PostForm, RadioGroup, ReasonField, SubmitButton } from '#console/shell/forms.tsx'
import { LeadsCommand } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import { type ManualSettlement, manualSettlements } from '#domain/delivery/delivery.ts'
import { inDoubtLeadsUrl } from '#domain/lead/lead-filter.ts'
import { statusLabels } from '#domain/lead/lead-status.ts'
import {
  findReasonError,
  type Message,
  makeFieldMessage,
  maxLeadReasonLength,
} from '#domain/operator/messages.ts'
import {
  makeErasureMessage,
  makeReleaseMessage,
  makeSettleMessage,
} from '#server/delivery/action-messages.ts'
import { releaseUndoWindowMs } from '#server/leads/release-leads.ts'
import {
  isErasable,
  listPossibleSettlements,
  makeLeadPath,
  mustAskBeforeRelease,
  showUnknownLead,
} from './lead-actions.tsx'

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
          run <LeadsCommand verb="erase --email" />. If the person may enquire again but must not be
          contacted, <a href={`/do-not-contact/stop?lead=${id}`}>stop contact</a> first. Erase the
          data from backups and earlier exports yourself.
        </p>
      </ConfirmPage>
    )
    return c.render(page, problem)
  }

  return new Hono<ConsoleEnv>()
    .get('/leads/:id/erase', (c) => show(c, c.req.param('id'), c.req.query('review')))
    .post('/leads/:id/erase', async (c) => {
      const id = c.req.param('id')
      const { reason, review, problem } = await readReviewedForm(c, 'Nothing was erased')
      if (problem !== undefined) return show(c, id, review, reason, problem)
      const erased = await leadActions.erase(c.get('actor'), { leadId: id }, reason.trim())
      return flash.redirect(c, backTo(id, review), makeErasureMessage(erased))
    })
}

/**
 * Reads the form of a confirmation that the operator may reach from the quarantine.
 * @returns `review` as for the page; `problem` if the reason is invalid
 */
async function readReviewedForm(c: ConsoleContext, heading: string) {
  const { lacks, ...form } = await readForm(c, 'reason', 'confirmed', 'review')
  const error = findReasonError(form.reason, maxLeadReasonLength)
  return {
    ...form,
    review: lacks('review') ? undefined : form.review,
    problem: error === undefined ? undefined : makeFieldMessage({ reason: error }, heading),
  }
}

const backTo = (id: string, review: string | undefined): string =>
  review === undefined ? makeLeadPath(id) : makeReviewUrl(review)

/** Releases a lead. Asks the operator to confirm it if the person asked not to be contacted. */
export function releaseRoutes({ flash, viewLead, leadActions }: ConsoleServices) {
  const show = async (
    c: ConsoleContext,
    id: string,
    review: string | undefined,
    reason?: string,
    problem?: Message,
  ) => {
    const record = await viewLead.findForConfirmation(c.get('actor'), 'release leads', id)
    if (record === undefined) return showUnknownLead(c)
    const view = await viewLead.masked(c.get('actor'), id)
    if (!mustAskBeforeRelease(view)) return c.redirect(backTo(id, review), 303)
    const page = (
      <ConfirmPage
        name="Release this lead"
        heading="This person asked not to be contacted"
        warning={
          <p>
            The person is on the list <a href="/do-not-contact">Do not contact</a> since{' '}
            <Timestamp at={view.listedAt ?? 0} />. After the release, a worker sends this lead to
            the distributor. Release it only if the person changed their mind.
          </p>
        }
        action={`/leads/${id}/release`}
        fields={{ review, confirmed: 'yes' }}
        inputs={<ReasonField value={reason} />}
        button="Release anyway"
        back={backTo(id, review)}
      />
    )
    return c.render(page, problem)
  }

  return new Hono<ConsoleEnv>()
    .get('/leads/:id/release', (c) => show(c, c.req.param('id'), c.req.query('review')))
    .post('/leads/:id/release', async (c) => {
      const id = c.req.param('id')
      const { reason, review, confirmed, problem } = await readReviewedForm(
        c,
        'Nothing was released',
      )
      if (problem !== undefined) return show(c, id, review, reason, problem)
      const outcome = await leadActions.release(c.get('actor'), id, {
        isDespiteList: confirmed !== '',
        reason: reason.trim(),
        waitMs: review === undefined ? undefined : releaseUndoWindowMs,
      })
      if (outcome.kind === 'unknown') return showUnknownLead(c)
      if (outcome.kind === 'asked not to be contacted') {
        return c.redirect(`${makeLeadPath(id)}/release`, 303)
      }
      return review !== undefined && outcome.kind === 'due'
        ? flash.redirect(c, makeReviewUrl(review, id), releasedMessage)
        : flash.redirect(c, backTo(id, review), makeReleaseMessage(outcome))
    })
}

/** Asks the operator whether the distributor has a lead, for example after a lost response or a restored backup. */
export function settleRoutes({ flash, viewLead, leadActions }: ConsoleServices) {
  /** @param isInDoubt whether the form leads back to the list of restored leads in doubt */
  const show = async (
    c: ConsoleContext,
    id: string,
    isInDoubt: boolean,
    typed?: { readonly as: string; readonly reason: string },
    problem?: Message,
  ) => {
    const record = await viewLead.findForConfirmation(c.get('actor'), 'settle deliveries', id)
    if (record === undefined) return showUnknownLead(c)
    const choices = listPossibleSettlements(record)
    const back = makeLeadPath(id)
    if (choices.length === 0) return c.redirect(back, 303)
    const page = (
      <ConsolePage name="Settle this lead by hand">
        <div className={controls.narrow}>
          <p>
            <code>{id}</code> is {statusLabels[record.status]}. Settle this lead if you know from
            the distributor whether the lead arrived, for example after a restore or a lost
            response. The workers send nothing.
          </p>
          <PostForm
            action={`${back}/settle`}
            fields={{ restored: isInDoubt ? 'in-doubt' : undefined }}
          >
            <RadioGroup
              legend="The distributor’s answer"
              name="as"
              choices={choices.map((value) => ({ value, ...settlementChoices[value] }))}
              chosen={typed?.as ?? (choices.length === 1 ? choices[0] : undefined)}
            />
            <ReasonField label="How you know" value={typed?.reason} />
            <div className={controls.acts}>
              <SubmitButton variant="primary">Settle</SubmitButton>
              <a href={isInDoubt ? inDoubtLeadsUrl : back}>Cancel</a>
            </div>
          </PostForm>
        </div>
      </ConsolePage>
    )
    return c.render(page, problem)
  }

  return new Hono<ConsoleEnv>()
    .get('/leads/:id/settle', (c) =>
      show(c, c.req.param('id'), c.req.query('restored') !== undefined),
    )
    .post('/leads/:id/settle', async (c) => {
      const id = c.req.param('id')
      const { as, reason, restored } = await readForm(c, 'as', 'reason', 'restored')
      const isInDoubt = restored !== ''
      const answer = manualSettlements.find((settled) => settled === as)
      const reasonError = findReasonError(reason, maxLeadReasonLength)
      if (answer === undefined || reasonError !== undefined) {
        const asError = answer === undefined && 'Choose the distributor’s answer.'
        const problem = makeFieldMessage({ as: asError, reason: reasonError })
        return show(c, id, isInDoubt, { as, reason }, problem)
      }
      const outcome = await leadActions.settle(c.get('actor'), id, answer, reason.trim())
      const result = makeSettleMessage(outcome, answer)
      const isKnown = outcome.kind !== 'unknown'
      if (isInDoubt) {
        return flash.redirect(c, inDoubtLeadsUrl, isKnown ? { ...result, lead: id } : result)
      }
      return isKnown ? flash.redirect(c, makeLeadPath(id), result) : showUnknownLead(c)
    })
}

const settlementChoices: Readonly<
  Record<ManualSettlement, { readonly name: string; readonly effect: string }>
> = {
  delivered: {
    name: 'The distributor has this lead',
    effect: 'The lead counts as accepted and cannot be sent again.',
  },
  rejected: {
    name: 'The distributor rejected this lead',
    effect:
      'The lead counts as rejected. The workers send it again only if an operator retries it.',
  },
}

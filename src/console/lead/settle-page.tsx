import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { PostForm, RadioGroup, ReasonField, SubmitButton } from '#console/shell/forms.tsx'
import { type ManualSettlement, manualSettlements } from '#domain/delivery/delivery.ts'
import { inDoubtLeadsUrl } from '#domain/lead/lead-filter.ts'
import { statusLabels } from '#domain/lead/lead-status.ts'
import {
  findReasonError,
  type Message,
  makeFieldMessage,
  maxLeadReasonLength,
} from '#domain/operator/messages.ts'
import { makeSettleMessage } from '#server/delivery/action-messages.ts'
import { listPossibleSettlements, makeLeadPath, showUnknownLead } from './lead-actions.tsx'

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

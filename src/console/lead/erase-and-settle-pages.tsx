import { ConfirmPage } from '#console/shell/confirm-page.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import controls from '#console/shell/controls.module.css'
import { PostForm, RadioGroup, ReasonField, SubmitButton } from '#console/shell/forms.tsx'
import { LeadsCommand } from '#console/shell/shell.tsx'
import type { ManualSettlement } from '#domain/delivery/delivery.ts'
import { inDoubtLeadsUrl } from '#domain/lead/lead-filter.ts'
import { statusLabels, type VisibleStatus } from '#domain/lead/lead-status.ts'
import type { Message } from '#domain/operator/messages.ts'

export interface ErasePageProps {
  id: string
  status: VisibleStatus
  back: string
  /** The cursor of the quarantine page to return to; undefined if the operator comes from the lead's page. */
  review?: string | undefined
  problem?: Message | undefined
  /** The reason that the operator typed, if the server refused the form. */
  reason?: string | undefined
}

/** Asks the operator to confirm an erasure, which cannot be undone. */
export const ErasePage = (props: ErasePageProps) => {
  const { id, status, back, review, problem, reason } = props
  return (
    <ConfirmPage
      {...{ back, message: problem }}
      name="Erase this person’s data"
      warning={
        <p>
          Name, address, phone, email and IP address of <code>{id}</code> are erased permanently
          {status === 'delivered'
            ? '. Ask the distributor to erase its copy.'
            : ', and the lead is no longer sent.'}
        </p>
      }
      action={`/leads/${id}/erase`}
      fields={{ review }}
      inputs={<ReasonField value={reason} error={problem?.fields?.reason} />}
      button="Erase permanently"
    >
      <p>
        The reference, times, area, program, delivery results, and the consent’s text, time and page
        are kept. Other leads of this person stay; to erase all leads with an email address, run{' '}
        <LeadsCommand verb="erase --email" />. Erase the data from backups and earlier exports
        yourself.
      </p>
    </ConfirmPage>
  )
}

export interface SettlePageProps {
  id: string
  status: VisibleStatus
  /** The statuses that the operator can choose, without the lead's current status. */
  choices: readonly ManualSettlement[]
  back: string
  /** Whether the form leads back to the list of restored leads in doubt. */
  returnsToLeadsInDoubt: boolean
  problem?: Message | undefined
  /** The values that the operator typed, if the server refused the form. */
  typed?: { readonly as: string; readonly reason: string } | undefined
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

/** Asks the operator whether the distributor has a lead, for example after a lost response or a restored backup. */
export const SettlePage = (props: SettlePageProps) => {
  const { id, status, choices, back, returnsToLeadsInDoubt, problem, typed } = props
  return (
    <ConsolePage name="Settle this lead by hand" message={problem}>
      <div className={controls.narrow}>
        <p>
          <code>{id}</code> is {statusLabels[status]}. Settle this lead if you know from the
          distributor whether the lead arrived, for example after a restore or a lost response. The
          workers send nothing.
        </p>
        <PostForm
          action={`${back}/settle`}
          fields={{ restored: returnsToLeadsInDoubt ? 'in-doubt' : undefined }}
        >
          <RadioGroup
            legend="The distributor’s answer"
            name="as"
            choices={choices.map((value) => ({ value, ...settlementChoices[value] }))}
            chosen={typed?.as ?? (choices.length === 1 ? choices[0] : undefined)}
            error={problem?.fields?.as}
          />
          <ReasonField label="How you know" value={typed?.reason} error={problem?.fields?.reason} />
          <div className={controls.acts}>
            <SubmitButton variant="primary">Settle</SubmitButton>
            <a href={returnsToLeadsInDoubt ? inDoubtLeadsUrl : back}>Cancel</a>
          </div>
        </PostForm>
      </div>
    </ConsolePage>
  )
}

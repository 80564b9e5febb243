import type { QuarantinePageProps } from '#console/quarantine/quarantine-page.tsx'
import type { LeadCount } from '#server/leads/find-leads.ts'
import type { QuarantineReview } from '#server/leads/review-quarantine.ts'

interface Looking {
  readonly after: string
  readonly ownId: string
}

/** The results as the page shows them. */
export function shownReview(
  { lead, left, waiting, held, now }: QuarantineReview,
  { after, ownId }: Looking,
): Omit<QuarantinePageProps, 'shell'> {
  return {
    after,
    lead: lead && { ...lead, place: placeOf(lead.view.record.lead) },
    held: held.map(({ leadId, dueAt, operatorId }) => ({
      id: leadId,
      leftMs: dueAt - now,
      isOwn: operatorId === ownId,
    })),
    left: left.leads === 0 ? '' : `${inWords(left)} to review`,
    leftBehind:
      waiting.leads === 0
        ? undefined
        : waiting.leads === 1
          ? '1 lead you left is still in quarantine.'
          : `${inWords(waiting)} leads you left are still in quarantine.`,
  }
}

const placeOf = ({ receivedAt, id }: { readonly receivedAt: number; readonly id: string }) =>
  `${receivedAt}_${id}`

const inWords = ({ leads, isAll }: LeadCount): string =>
  `${isAll ? '' : 'More than '}${leads.toLocaleString('en-US')}`

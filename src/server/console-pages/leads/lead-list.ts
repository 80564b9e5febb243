import type { LeadRow } from '#console/leads/lead-table.tsx'
import type { LeadList } from '#console/leads/leads-page.tsx'
import { describeSignal } from '#domain/abuse/signals.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import type { ListedLead, ListedLeads } from '#server/leads/list-leads.ts'
import { type LeadsQuery, makeLeadsUrl } from './leads-url.ts'

interface Listing {
  readonly address: LeadsQuery
  readonly isToSettle: boolean
}

/** Converts the found leads into the rows of the page. */
export function toLeadList(found: ListedLeads, { address, isToSettle }: Listing): LeadList {
  const { leads, next, lookedUntil } = found
  return {
    rows: leads.map(toRow),
    count: formatCount(found),
    lookedUntil,
    isToSettle,
    isNoneYet: address.query === '' && address.searchId === undefined,
    empty:
      lookedUntil === undefined
        ? 'No lead matches. Remove a condition, or search for a full email address, phone number, last name or reference.'
        : 'Nothing found yet: search further back.',
    older: next && makeLeadsUrl(address, next),
  }
}

const toRow = (lead: ListedLead): LeadRow => ({
  ...lead,
  initials: escapeInvisible(lead.initials),
  program: lead.programName,
  affiliate: lead.affiliate && escapeInvisible(lead.affiliate),
  source: lead.source && escapeInvisible(lead.source),
  campaign: lead.campaign && escapeInvisible(lead.campaign),
  remarks: [
    ...(lead.isUnreadable ? ['unreadable'] : []),
    ...(lead.isHeld ? ['held by a cap'] : []),
    ...(lead.isReturned ? ['returned'] : []),
    ...(lead.isVerified === false ? ['address not verified'] : []),
    ...lead.signals.map(describeSignal),
  ],
})

/** Formats the number of leads, as in `10,000+ leads` if not all were counted. */
function formatCount({ count }: ListedLeads): string {
  if (count.isAll) return pluralize(count.leads, 'lead', 'leads')
  return count.leads === 0 ? 'None found so far' : `${count.leads.toLocaleString('en-US')}+ leads`
}

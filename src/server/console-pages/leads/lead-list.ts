import type { LeadRow } from '#console/leads/lead-table.tsx'
import type { LeadList } from '#console/leads/leads-page.tsx'
import { describeSignal } from '#domain/abuse/signals.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import type { BrowsedLead, BrowsedLeads } from '#server/leads/browse-leads.ts'
import { type LeadsAddress, leadsAddress } from './leads-address.ts'

interface Listing {
  readonly address: LeadsAddress
  readonly isFirst: boolean
  readonly isToSettle: boolean
  /** Whether the role may search for a person. Other roles search by reference only. */
  readonly findsPeople: boolean
}

/** Converts the found leads into the rows of the page. */
export function leadList(
  found: BrowsedLeads,
  { address, isFirst, isToSettle, findsPeople }: Listing,
): LeadList {
  const { leads, next, lookedUntil } = found
  return {
    rows: leads.map(toRow),
    count: formatCount(found),
    lookedUntil,
    isToSettle,
    isNoneYet: address.query === '' && address.searchId === undefined,
    empty: describeEmptyList(address, findsPeople),
    newest: leadsAddress(address),
    isFirst,
    older: next && leadsAddress(address, next),
  }
}

function describeEmptyList({ query, searchId }: LeadsAddress, findsPeople: boolean): string {
  if (searchId !== undefined) {
    const what = findsPeople
      ? 'a whole email address, all ten digits of a phone number, a whole last name or a reference'
      : 'a whole reference'
    return `No lead was found${query === '' ? '' : ' within this filter'}. Search for ${what}.`
  }
  return 'No lead matches this filter. Remove a filter, or clear them all.'
}

const toRow = (lead: BrowsedLead): LeadRow => ({
  id: lead.id,
  receivedAt: lead.receivedAt,
  initials: escapeInvisible(lead.initials),
  area: lead.area,
  program: lead.programName,
  status: lead.status,
  attempts: lead.attempts,
  error: lead.error,
  state: lead.state,
  affiliate: lead.affiliate === null ? null : escapeInvisible(lead.affiliate),
  isVerified: lead.isVerified,
  remarks: [
    ...(lead.isUnreadable ? ['unreadable'] : []),
    ...(lead.isVerified === false ? ['address not verified'] : []),
    ...lead.signals.map(describeSignal),
  ],
})

/** Formats the number of leads, as in `10,000+ leads` if not all were counted. */
function formatCount({ count }: BrowsedLeads): string {
  if (count.isAll) return pluralize(count.leads, 'lead', 'leads')
  return count.leads === 0 ? 'None found so far' : `${count.leads.toLocaleString('en-US')}+ leads`
}

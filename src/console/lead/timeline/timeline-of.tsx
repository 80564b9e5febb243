import type { ShownLead, ShownRecord } from '../shown-lead.ts'
import { actEvent, jobEvent } from './act-events.tsx'
import { arrivalEvents } from './arrival-events.tsx'
import { attemptEvents } from './attempt-events.tsx'
import { endingEvents } from './ending-events.tsx'
import { holdEvents } from './hold-events.tsx'
import type { TimelineEvent } from './timeline-event.ts'

/** All that happened to a lead, the first first: from the page that it came from to the distributor's answer. */
export function timelineOf({
  record,
  acts,
  jobActs,
  sent,
  owed,
  holds,
}: ShownLead): readonly TimelineEvent[] {
  const { delivery } = record
  const events = [
    ...arrivalEvents(record),
    ...(delivery === null
      ? []
      : [
          ...attemptEvents({
            attempts: delivery.attempts,
            owedAgainAt: delivery.endings.map((ending) => ending.owedAgainAt),
            hasBody: sent !== undefined,
          }),
          ...endingEvents(delivery, [...acts, ...jobActs]),
        ]),
    ...erased(record),
    ...acts.map(actEvent),
    ...jobActs.map(jobEvent),
    ...holdEvents(holds, owed),
  ]
  // What came at the same moment stays in this order.
  return events.toSorted((one, other) => one.at - other.at)
}

function erased({ lead }: ShownRecord): TimelineEvent[] {
  if (!('erasedAt' in lead)) return []
  const why =
    lead.erasedBy === 'request'
      ? 'on request'
      : 'as they were older than the time that leads are kept'
  return [
    { key: 'erased', at: lead.erasedAt, kind: 'note', what: `The person’s data erased ${why}` },
  ]
}

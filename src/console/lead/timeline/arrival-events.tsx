import { signalInWords } from '#domain/abuse/signal-in-words.ts'
import { durationInWords } from '../../shell/duration-in-words.ts'
import { LeadLink } from '../lead-link.tsx'
import type { ShownRecord } from '../shown-lead.ts'
import type { TimelineEvent } from './timeline-event.ts'

/** From the page that it came from to its release from quarantine. */
export const arrivalEvents = (record: ShownRecord): readonly TimelineEvent[] => [
  ...opened(record),
  ...received(record),
  ...quarantine(record),
]

const openingOf = (lead: ShownRecord['lead']): number | null =>
  'openedAt' in lead ? lead.openedAt : null

function opened({ lead }: ShownRecord): TimelineEvent[] {
  const at = openingOf(lead)
  if (at === null) return []
  const openFor = durationInWords(lead.receivedAt - at)
  const more = <p>{openFor} before it was sent, as the browser says.</p>
  return [{ key: 'opened', at, kind: 'note', what: `Page opened: ${lead.area}`, more }]
}

function received({ lead, duplicateOf, corrects, signals }: ShownRecord): TimelineEvent[] {
  const page = lead.consent?.pageUrl ?? ''
  const openedAt = openingOf(lead)
  return [
    {
      key: 'received',
      at: lead.receivedAt,
      kind: 'note',
      what: `Received from the ${lead.area} page, and stored`,
      more: (
        <>
          {page !== '' && (
            <p>
              Page: <code>{page}</code>
              {openedAt === null && '. When it was opened is not known.'}
            </p>
          )}
          {corrects !== null && (
            <p>
              Its visitor had sent <LeadLink id={corrects} /> before, and corrects it by this one.
            </p>
          )}
          {duplicateOf !== null && (
            <p>
              It repeats <LeadLink id={duplicateOf} />, which is delivered in its place.
            </p>
          )}
          {signals.length > 0 && (
            <>
              <p>What spoke against it:</p>
              <ul>
                {signals.map((signal) => (
                  <li key={signal}>{signalInWords(signal)}</li>
                ))}
              </ul>
            </>
          )}
        </>
      ),
    },
  ]
}

function quarantine({ quarantinedAt, releasedAt }: ShownRecord): TimelineEvent[] {
  return [
    ...(quarantinedAt === null
      ? []
      : [
          {
            key: 'quarantined',
            at: quarantinedAt,
            kind: 'problem' as const,
            what: 'Put in quarantine: it is not delivered until an operator releases it',
          },
        ]),
    ...(releasedAt === null
      ? []
      : [
          {
            key: 'released',
            at: releasedAt,
            kind: 'note' as const,
            what: 'Released from quarantine',
          },
        ]),
  ]
}

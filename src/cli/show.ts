import type { Command } from 'commander'
import ms from 'ms'
import { describeSignal } from '#domain/abuse/signals.ts'
import { describeError } from '#domain/delivery/describe-outcome.ts'
import type { AttemptRecord } from '#domain/delivery/outcome.ts'
import {
  type Consent,
  describeUnreadable,
  type ErasedBy,
  type ErasedLead,
  type Lead,
  type UnreadableLead,
} from '#domain/lead/lead.ts'
import type { LeadDetails } from '#domain/lead/lead-details.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { describeFailureCause } from '#server/delivery/describe-failure-cause.ts'
import { NotDoneError } from './errors.ts'
import { auditedAct, withStore } from './store.ts'
import { isoTime, type Json, print, printJson, table, verb } from './terminal.ts'

export const showCommand = (): Command =>
  verb('show', 'shows one lead: its answers, the consent, every delivery attempt', {
    examples: ['show 019bc0de-…'],
  })
    .argument('<id>', 'the lead’s id')
    .action(show)

async function show(id: string, { json }: Json): Promise<void> {
  const [found, breaker] = await withStore(
    async (store) => {
      const details = await store.archive.find(id, Date.now())
      // As on the console, the audit entry is written before any data is shown.
      if (details !== undefined && !('erasedAt' in details.lead)) {
        const entry = { action: 'revealed a lead', subject: details.lead.id } as const
        const nothing = async () => {}
        await auditedAct(store, entry, nothing, () => 'shown')
      }
      return [details, await store.breaker.read()]
    },
    { json },
  )
  if (found === undefined) {
    throw new NotDoneError(`There is no lead with the id ${id}. “list” shows the ids.`)
  }
  if (json) return printJson(found)
  const facts = factsOf(found)
  const width = Math.max(...facts.map(([name]) => name.length))
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}  ${escapeInvisible(value)}`)
  print([...lines, ...describeDelivery(found, describeFailureCause(found, breaker))].join('\n'))
}

type Fact = readonly [name: string, value: string]

function factsOf(found: LeadDetails): readonly Fact[] {
  const { lead, status, duplicateOf, corrects, correctedBy, signals } = found
  const fact = (name: string, value: string | null): readonly Fact[] =>
    value === null ? [] : [[name, value]]
  const time = (name: string, at: number | null) => fact(name, at === null ? null : isoTime(at))
  const listed = (name: string, values: readonly string[]) =>
    values.map((value, index): Fact => [index === 0 ? name : '', value])
  return [
    ['Lead', lead.id],
    ['Status', status],
    ...fact('Duplicate of', duplicateOf),
    ...fact('Corrects', corrects),
    ...listed('Corrected by', correctedBy),
    ['Received', isoTime(lead.receivedAt)],
    ...listed('Signals', signals.map(describeSignal)),
    ...time('Quarantined', found.quarantinedAt),
    ...time('Released', found.releasedAt),
    ...leadFacts(lead),
  ]
}

/** The fields of a lead in display order; null for a field that is shown elsewhere. A missing field does not compile. */
const ofLead: Readonly<Record<keyof Lead, ((lead: Lead) => readonly Fact[]) | null>> = {
  id: null,
  receivedAt: null,
  area: areaOf,
  program: programOf,
  subId: ({ subId }) => [['Affiliate', subId ?? '–']],
  firstName: ({ firstName, lastName }) => [['Name', `${firstName} ${lastName}`]],
  lastName: null,
  phone: ({ phone }) => [['Phone', phone]],
  email: ({ email }) => [['Email', email]],
  street: ({ street, city, state, zip, zipPlus4 }) => [
    ['Address', `${street}, ${city}, ${state} ${zipPlus4 ?? zip}`],
  ],
  city: null,
  state: null,
  zip: null,
  zipPlus4: null,
  addressVerified: ({ addressVerified }) => [
    ['', addressVerified ? 'verified' : 'not verified: city and state are the visitor’s'],
  ],
  educationLevel: ({ educationLevel, graduatingYear }) => [
    ['Education', `level ${educationLevel}, graduation year ${graduatingYear}`],
  ],
  graduatingYear: null,
  startDateId: ({ startDateId }) => [['Start date', startDateId]],
  openedAt: ({ openedAt }) => (openedAt === null ? [] : [['Opened', isoTime(openedAt)]]),
  consent: consentOf,
  gpc: gpcOf,
}

/** The facts about a lead and its person for a table with two columns; times are in UTC. */
export function leadFacts(lead: Lead | ErasedLead | UnreadableLead): readonly Fact[] {
  if ('erasedAt' in lead) {
    return [
      ...areaOf(lead),
      ...programOf(lead),
      ['Erased', `${isoTime(lead.erasedAt)}: ${erasedFor[lead.erasedBy]}`],
      ...consentOf(lead),
      ...gpcOf(lead),
    ]
  }
  if ('unreadable' in lead) {
    return [
      ...areaOf(lead),
      ['Email', lead.email],
      ['Unreadable', describeUnreadable(lead.unreadable)],
      ...consentOf(lead),
    ]
  }
  return Object.values(ofLead).flatMap((facts) => facts?.(lead) ?? [])
}

function areaOf({ area }: Pick<Lead, 'area'>): readonly Fact[] {
  return [['Area', area]]
}

function programOf({ program }: Pick<ErasedLead, 'program'>): readonly Fact[] {
  return [['Program', program === null ? unknown : `${program.id}  ${program.name}`]]
}

const unknown = 'could not be read when it was erased'

const erasedFor: Readonly<Record<ErasedBy, string>> = {
  request: 'the person’s data are gone',
  retention: 'the person’s answers are gone, as they were older than RETENTION_DAYS',
}

function consentOf({ consent }: { readonly consent: Consent | null }): readonly Fact[] {
  if (consent === null) return []
  const { at, pageUrl, ip, text } = consent
  return [
    ['Agreed', `${isoTime(at)} at ${pageUrl}${ip === '' ? '' : ` from ${ip}`}`],
    ['', text],
  ]
}

function gpcOf({ gpc }: Pick<ErasedLead, 'gpc'>): readonly Fact[] {
  if (gpc === null) return [['GPC', unknown]]
  return [['GPC', gpc ? 'yes: the browser asked us not to sell the data' : 'no']]
}

/** @param cause what caused the failure, if known */
function describeDelivery({ lead, delivery }: LeadDetails, cause?: string): readonly string[] {
  if (delivery === null) return []
  const { attempts, restoredAt, nextAttemptAt, settledAs, settledAt } = delivery
  const lines = ['', describeAttempts(attempts)]
  if (cause !== undefined) lines.push(cause)
  if (restoredAt !== null) {
    const restored = `A backup was restored at ${isoTime(restoredAt)}`
    lines.push(
      settledAs === null
        ? `${restored}: it may have been delivered since the backup. If the distributor has it, run “settle ${lead.id} --as delivered”.`
        : `${restored}, in which it was still owed.`,
    )
  }
  if (nextAttemptAt !== null) lines.push(`Next attempt: ${isoTime(nextAttemptAt)}`)
  if (settledAt !== null) {
    lines.push(
      `Delivery ${settledAs} at ${isoTime(settledAt)}${delivery.isSettledByHand ? ', as an operator says' : ''}`,
    )
  }
  return lines
}

function describeAttempts(attempts: readonly AttemptRecord[]): string {
  if (attempts.length === 0) return 'No delivery has been attempted yet.'
  const rows = attempts.map((attempt) => [
    String(attempt.number),
    isoTime(attempt.startedAt),
    `${attempt.durationMs} ms`,
    attempt.outcome,
    attempt.httpStatus === null ? '–' : String(attempt.httpStatus),
    describeAttempt(attempt),
    attempt.said ?? '',
  ])
  return table(['Try', 'At', 'Took', 'Outcome', 'HTTP', 'Why', 'What it said'], rows)
}

/** The reason for an attempt's outcome; empty if the outcome needs none. */
function describeAttempt({ reason, code, retryAfterMs }: AttemptRecord): string {
  const why = reason === null ? '' : describeError(reason)
  if (retryAfterMs !== null) return join(why, `asks for ${ms(retryAfterMs)}`)
  return code === null ? why : `${why} (${code})`
}

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

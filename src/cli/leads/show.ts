import { Command } from 'commander'
import { escapeUnseen } from '#domain/text/escape-unseen.ts'
import type { LeadDetails } from '#server/use-cases/leads/read-leads.ts'
import { attemptInWords } from '../deliveries/attempt-in-words.ts'
import { culpritInWords } from '../deliveries/culprit-in-words.ts'
import { NotDoneError } from '../not-done-error.ts'
import { withStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { table } from '../terminal/table.ts'
import { type Fact, leadFacts } from './lead-facts.ts'
import { signalInWords } from './signal-in-words.ts'

export const showCommand = (): Command =>
  new Command('show')
    .description('shows one lead: what was said, what was agreed to, every delivery attempt')
    .argument('<id>', 'the lead’s id')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('show 019bc0de-…'))
    .action(show)

async function show(id: string, { json }: { json?: boolean }): Promise<void> {
  const [found, state] = await withStore(
    async ({ archive, breaker }) => [await archive.find(id, Date.now()), await breaker.read()],
    { json },
  )
  if (found === undefined) {
    throw new NotDoneError(`There is no lead with the id ${id}. “list” shows the ids.`)
  }
  if (json) printJson(found)
  else print([...factsOf(found), ...deliveryOf(found, culpritInWords(found, state))].join('\n'))
}

function factsOf(found: LeadDetails): readonly string[] {
  const { lead, status, duplicateOf } = found
  const facts: Fact[] = [
    ['Lead', lead.id],
    ['Status', status],
    ...(duplicateOf ? [['Duplicate of', duplicateOf] as const] : []),
    ...correctionsOf(found),
    ['Received', time(lead.receivedAt)],
    ...suspicionOf(found),
    ...leadFacts(lead),
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${escapeUnseen(value)}`)
}

/** What its visitor has changed since, or had said before. */
const correctionsOf = ({ corrects, correctedBy }: LeadDetails): readonly Fact[] => [
  ...(corrects === null ? [] : [['Corrects', corrects] as const]),
  ...correctedBy.map((id, index): Fact => [index === 0 ? 'Corrected by' : '', id]),
]

function suspicionOf({ signals, quarantinedAt, releasedAt }: LeadDetails): readonly Fact[] {
  return [
    ...signals.map((name, index): Fact => [index === 0 ? 'Signals' : '', signalInWords[name]]),
    ...(quarantinedAt === null ? [] : [['Quarantined', time(quarantinedAt)] as const]),
    ...(releasedAt === null ? [] : [['Released', time(releasedAt)] as const]),
  ]
}

function deliveryOf(
  { lead: { id }, delivery }: LeadDetails,
  culprit: string | undefined,
): readonly string[] {
  if (delivery === null) return []
  const { settledAs, settledAt, isSettledByHand, restoredAt, nextAttemptAt } = delivery
  const attempts = delivery.attempts.map((attempt) => [
    String(attempt.number),
    time(attempt.startedAt),
    `${attempt.durationMs} ms`,
    attempt.outcome,
    attempt.httpStatus === null ? '–' : String(attempt.httpStatus),
    attemptInWords(attempt),
    attempt.said ?? '',
  ])
  return [
    '',
    attempts.length === 0
      ? 'No delivery has been attempted yet.'
      : table(['Try', 'At', 'Took', 'Outcome', 'HTTP', 'Why', 'What it said'], attempts),
    ...(culprit === undefined ? [] : [culprit]),
    ...(restoredAt === null || settledAs !== null
      ? []
      : [
          `A backup was restored at ${time(restoredAt)}: it may have been delivered since the backup. Where the distributor ` +
            `has it, “settle ${id} --as delivered”.`,
        ]),
    ...(nextAttemptAt === null ? [] : [`Next attempt: ${time(nextAttemptAt)}`]),
    ...(settledAt === null
      ? []
      : [
          `Delivery ${settledAs} at ${time(settledAt)}${isSettledByHand ? ', as an operator says' : ''}`,
        ]),
  ]
}

const time = (at: number): string => new Date(at).toISOString()

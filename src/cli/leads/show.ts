import { Command } from 'commander'
import { describeSignal } from '#domain/abuse/signals.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import { describeFailureCause } from '#server/delivery/describe-failure-cause.ts'
import type { LeadDetails } from '#server/leads/read-leads.ts'
import { NotDoneError } from '../not-done-error.ts'
import { auditedAct } from '../operators/command-line-actor.ts'
import { withStore } from '../store/with-store.ts'
import { examples, print, printJson } from '../terminal/print.ts'
import { describeDelivery } from './describe-delivery.ts'
import { type Fact, leadFacts } from './lead-facts.ts'

export const showCommand = (): Command =>
  new Command('show')
    .description('shows one lead: what was said, what was agreed to, every delivery attempt')
    .argument('<id>', 'the lead’s id')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('show 019bc0de-…'))
    .action(show)

async function show(id: string, { json }: { json?: boolean }): Promise<void> {
  const [found, state] = await withStore(
    async (store) => {
      const { archive, breaker } = store
      const details = await archive.find(id, Date.now())
      // As on the console, the audit entry is written before anything is shown.
      if (details !== undefined && !('erasedAt' in details.lead)) {
        const entry = { action: 'revealed a lead', subject: details.lead.id } as const
        await auditedAct(
          store,
          entry,
          async () => {},
          () => 'shown',
        )
      }
      return [details, await breaker.read()]
    },
    { json },
  )
  if (found === undefined) {
    throw new NotDoneError(`There is no lead with the id ${id}. “list” shows the ids.`)
  }
  if (json) printJson(found)
  else
    print(
      [...factsOf(found), ...describeDelivery(found, describeFailureCause(found, state))].join(
        '\n',
      ),
    )
}

type Facts = (found: LeadDetails) => readonly Fact[]

/** In the order that they are shown in; null where a part is said elsewhere, and where. */
const ofRecord: Readonly<Record<keyof LeadDetails, Facts | null>> = {
  status: ({ lead, status }) => [
    ['Lead', lead.id],
    ['Status', status],
  ],
  duplicateOf: ({ duplicateOf }) =>
    duplicateOf === null ? [] : [['Duplicate of', duplicateOf] as const],
  // Fields that its visitor has changed since, or had filled in differently before.
  corrects: ({ corrects }) => (corrects === null ? [] : [['Corrects', corrects] as const]),
  correctedBy: ({ correctedBy }) =>
    correctedBy.map((id, index): Fact => [index === 0 ? 'Corrected by' : '', id]),
  signals: ({ lead, signals }) => [
    ['Received', time(lead.receivedAt)],
    ...signals.map((name, index): Fact => [index === 0 ? 'Signals' : '', describeSignal(name)]),
  ],
  quarantinedAt: ({ quarantinedAt }) =>
    quarantinedAt === null ? [] : [['Quarantined', time(quarantinedAt)] as const],
  releasedAt: ({ releasedAt }) =>
    releasedAt === null ? [] : [['Released', time(releasedAt)] as const],
  lead: ({ lead }) => leadFacts(lead),
  // Below.
  delivery: null,
}

function factsOf(found: LeadDetails): readonly string[] {
  const facts = Object.values(ofRecord).flatMap((read) => read?.(found) ?? [])
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${escapeInvisible(value)}`)
}

const time = (at: number): string => new Date(at).toISOString()

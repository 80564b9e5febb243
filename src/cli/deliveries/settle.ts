import { Command, Option } from 'commander'
import { type SettledByHand, settledByHand } from '#domain/delivery/delivery.ts'
import type { SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import { NotDoneError } from '../not-done-error.ts'
import { actOnLead, commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { examples, print, printJson } from '../terminal/print.ts'

interface SettleOptions {
  readonly as: SettledByHand
  readonly json?: boolean
}

export const settleCommand = (): Command =>
  new Command('settle')
    .description(
      'records the distributor’s answer about a lead, for example after a restore; the lead is not sent again',
    )
    .argument('<id>', 'the lead’s id')
    .addOption(
      new Option('--as <outcome>', 'the distributor’s answer')
        .choices(settledByHand)
        .makeOptionMandatory(),
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('settle 019bc0de-… --as delivered'))
    .action(settle)

async function settle(id: string, { as, json }: SettleOptions): Promise<void> {
  const outcome = await changeStore(
    (store) => actOnLead(store).settle(commandLineActor(), id, as),
    { json },
  )
  if (json) printJson({ id, ...outcome })
  if (outcome.kind !== 'settled') throw new NotDoneError(whyNotDone(id, outcome))
  if (!json)
    print(`The delivery of ${id} was ${outcome.was} and is ${as} now. It is not sent again.`)
}

function whyNotDone(id: string, outcome: Exclude<SettleOutcome, { kind: 'settled' }>): string {
  switch (outcome.kind) {
    case 'unknown':
      return `There is no lead with the id ${id}. “list” shows the ids.`
    case 'delivered':
    case 'rejected':
      return `Lead ${id} is ${outcome.kind} already. Nothing was changed.`
    case 'leased':
      return `A worker is delivering lead ${id} now. Nothing was changed. Run “pause” first, then try again.`
    case 'erased':
      return `Lead ${id} is erased. Nothing was changed.`
    case 'quarantined':
      return `Lead ${id} is in quarantine and owes no delivery yet. Nothing was changed.`
    case 'duplicate':
      return `Lead ${id} owes no delivery: it repeats ${outcome.of}, which does. Nothing was changed.`
  }
}

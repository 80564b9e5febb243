import { Command } from 'commander'
import { type CapTexts, describeLimits, describeScope, parseCap } from '#domain/delivery/cap.ts'
import { type ManageCaps, makeManageCaps } from '#server/delivery/manage-caps.ts'
import type { Store } from '#server/store/open-store.ts'
import { CommandError, exitCodes } from './errors.ts'
import { commandLineActor, readServerSettings, withStore, withStoreForChanges } from './store.ts'
import { formatTable, type JsonOption, makeCommand, print, printJson } from './terminal.ts'

export const capsCommand = (): Command =>
  new Command('caps')
    .description('limits on the leads that are sent, by program, affiliate and state')
    .addCommand(
      makeCommand('list', 'lists caps, what has used them up and how many leads they hold', {
        examples: ['caps list'],
      }).action(listCaps),
    )
    .addCommand(
      makeCommand('add', 'adds a cap; it concerns all leads unless you name some', {
        examples: ['caps add --program 12 --most 100 --per month', 'caps add --not-in CA,TX'],
      })
        .option('--program <id>', 'only leads of this program')
        .option('--affiliate <id>', 'only leads of this affiliate')
        .option('--state <state>', 'only leads from this state')
        .option('--most <n>', 'at most this many leads')
        .option('--per <period>', 'day or month', 'day')
        .option('--from <time>', 'send from this time of day, in SCHOOL_TIME_ZONE')
        .option('--to <time>', 'send until this time of day')
        .option('--not-in <states>', 'send no leads from these states')
        .option('--follow-distributor', 'hold leads if the distributor’s monthly cap is reached')
        .action(addCap),
    )
    .addCommand(
      makeCommand('remove', 'removes a cap; its held leads are sent', {
        examples: ['caps remove 019bc0de-…'],
      })
        .argument('<id>', 'the cap’s id')
        .action(removeCap),
    )
    .addHelpText('after', '\nEach with --json.\n\nExample:\n  npm run leads -- caps list')

export const capsOf = ({ database, audit }: Store): ManageCaps =>
  makeManageCaps({ database, audit, clock: Date.now, zone: readServerSettings().delivery.zone })

async function listCaps(options: JsonOption): Promise<void> {
  const caps = await withStore((store) => capsOf(store).list(commandLineActor()), options)
  if (options.json) return printJson(caps)
  if (caps.length === 0) return print('There are no caps: every lead is sent at once.')
  const rows = caps.map((cap) => [
    cap.id,
    describeScope(cap),
    describeLimits(cap),
    `${cap.used}${cap.maxLeads === null ? '' : ` of ${cap.maxLeads}`}`,
    String(cap.held),
  ])
  print(formatTable(['Cap', 'Concerns', 'Limit', 'Used', 'Held'], rows))
}

interface AddOptions extends JsonOption {
  readonly [option: string]: string | boolean | undefined
  readonly json?: boolean
}

/** The option of each field of a cap. */
const options = {
  program: 'program',
  affiliate: 'affiliate',
  state: 'state',
  maxLeads: 'most',
  period: 'per',
  opensAt: 'from',
  closesAt: 'to',
  blockedStates: 'notIn',
  followsDistributor: 'followDistributor',
  isFull: '',
} as const satisfies Record<keyof CapTexts, string>

async function addCap(given: AddOptions): Promise<void> {
  const texts = Object.entries(options).map(([name, option]) => [name, `${given[option] || ''}`])
  const { cap, faults } = parseCap(Object.fromEntries(texts) as CapTexts)
  if (Object.keys(faults).length > 0) {
    const lines = Object.entries(faults).map(([name, fault]) => {
      const option = options[name as keyof CapTexts].replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)
      return `  --${option}: ${fault}`
    })
    throw new CommandError(`No cap was added:\n${lines.join('\n')}`, exitCodes.usage)
  }
  const outcome = await withStoreForChanges(
    (store) => capsOf(store).save(commandLineActor(), cap),
    given,
  )
  if (outcome === 'no affiliate') {
    throw new CommandError('No cap was added: there is no affiliate with this id.')
  }
  if (outcome !== 'saved') {
    throw new CommandError('No cap was added: there are 500, which is the most.')
  }
  if (given.json) printJson({ outcome })
  else print(`Added: ${describeLimits(cap)}. Its leads are counted from the period’s beginning.`)
}

async function removeCap(id: string, report: JsonOption): Promise<void> {
  const isRemoved = await withStoreForChanges(
    (store) => capsOf(store).remove(commandLineActor(), id),
    report,
  )
  if (!isRemoved)
    throw new CommandError(`There is no cap with the id ${id}. “caps list” shows the ids.`)
  if (report.json) printJson({ outcome: 'removed' })
  else print('Removed. Its held leads are sent, unless another cap holds them.')
}

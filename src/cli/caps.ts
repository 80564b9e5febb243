import { Command } from 'commander'
import { describeLimits, describeScope } from '#domain/delivery/cap.ts'
import { type ManageCaps, makeManageCaps } from '#server/delivery/manage-caps.ts'
import type { Store } from '#server/store/open-store.ts'
import { commandLineActor, readServerSettings, withStore } from './store.ts'
import { formatTable, type JsonOption, makeCommand, print, printJson } from './terminal.ts'

export const capsCommand = (): Command =>
  new Command('caps')
    .description('limits on the leads that are sent, by program, affiliate and state')
    .addCommand(
      makeCommand('list', 'lists caps, what has used them up and how many leads they hold', {
        examples: ['caps list'],
      }).action(listCaps),
    )
    .addHelpText(
      'after',
      '\nWith --json. Admins change caps on the console.\n\nExample:\n  npm run leads -- caps list',
    )

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

import type { Command } from 'commander'
import { describeLimits, describeScope } from '#domain/delivery/cap.ts'
import { makeManageCaps } from '#server/delivery/manage-caps.ts'
import type { Store } from '#server/store/open-store.ts'
import { commandLineActor, readServerSettings, withStore } from './store.ts'
import { type JsonOption, makeCommand, makeCommandGroup, printRows } from './terminal.ts'

export const capsCommand = (): Command =>
  makeCommandGroup(
    'caps',
    'limits on the leads that are sent, by program, affiliate and state; admins change them on the console',
    'list',
    [
      makeCommand('list', 'lists caps, the leads that have used them up, and the leads they hold', {
        examples: ['caps list'],
      }).action(listCaps),
    ],
  )

export const capsOf = ({ operators, audit }: Store) =>
  makeManageCaps({
    ...{ ...operators, audit, clock: Date.now },
    zone: readServerSettings().delivery.zone,
  })

async function listCaps(options: JsonOption): Promise<void> {
  const caps = await withStore((store) => capsOf(store).list(commandLineActor()), options)
  printRows(
    caps,
    options,
    (cap) => ({
      Cap: cap.id,
      Concerns: describeScope(cap),
      Limit: describeLimits(cap),
      Used: `${cap.used}${cap.maxLeads === null ? '' : ` of ${cap.maxLeads}`}`,
      Held: String(cap.held),
    }),
    'There are no caps: every lead is sent at once.',
  )
}

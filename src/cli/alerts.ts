import type { Command } from 'commander'
import { makeAlertTester, noAlertWebhook } from '#server/alerts/send-alert.ts'
import { CommandError, exitCodes } from './errors.ts'
import { findCliActor, readServerSettings, withStoreForChanges } from './store.ts'
import { type JsonOption, makeCommand, makeCommandGroup, print, printJson } from './terminal.ts'

export const makeAlertsCommand = (): Command =>
  makeCommandGroup('alerts', 'messages about problems to a chat; see docs/runbook.md', 'test', [
    makeCommand('test', 'posts a test to ALERT_WEBHOOK_URL and shows the answer', {
      examples: ['alerts test'],
    }).action(runTest),
  ])

async function runTest(options: JsonOption): Promise<void> {
  const settings = readServerSettings()
  const result = await withStoreForChanges(
    ({ audit, clock }) => makeAlertTester({ settings, audit, clock })(findCliActor()),
    options,
  )
  if (result === undefined) {
    throw new CommandError(`No test was sent. ${noAlertWebhook}`, exitCodes.configuration)
  }
  if (options.json) printJson(result)
  if (!result.isAccepted) throw new CommandError(`The test was not accepted: ${result.answer}.`)
  if (!options.json) print(`The test was accepted: ${result.answer}.`)
}

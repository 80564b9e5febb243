import { type Command, Option } from 'commander'
import { formatIsoTime } from '#domain/calendar.ts'
import {
  describeNotificationBreaker,
  describeWebhookRemoval,
  type LeadEvent,
  listEventsFor,
  usualWebhookEvents,
} from '#domain/notifications/notification.ts'
import { pluralize } from '#domain/text/formats.ts'
import { makeAlertTester, noAlertWebhook } from '#server/alerts/send-alert.ts'
import { makeCommand, makeCommandGroup, reportRows } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import type { CommandContext } from './store.ts'
import { type ConfirmOption, confirm, skipConfirmation } from './terminal.ts'

export const makeNotificationCommands = (): readonly Command[] => [
  makeWebhooksCommand(),
  makeCommandGroup('alerts', 'messages about problems to a chat; see docs/runbook.md', 'test', [
    makeCommand('test', 'posts a test to ALERT_WEBHOOK_URL and shows the answer', [
      'alerts test',
    ]).changesStore(async ({ store: { audit, clock }, settings, actor }) => {
      const result = await makeAlertTester({ settings, audit, clock })(actor)
      if (result !== undefined) return reportTest(result)
      throw new CommandError(`No test was sent. ${noAlertWebhook}`, exitCodes.configuration)
    }),
  ]),
]

function makeWebhooksCommand(): Command {
  const make = (name: string, description: string, example = name) =>
    makeCommand(name, description, [`webhooks ${example}`])
  const about =
    'notifications about leads to your own systems, and to affiliates by postback; see docs/notifications.md'
  return makeCommandGroup('webhooks', about, 'list', [
    make('list', 'lists webhooks and postbacks with their state').readsStore(runList),
    make(
      'add',
      'adds a webhook and prints its signing secret once',
      'add https://crm.example.edu/leads',
    )
      .argument('<url>', 'an https URL')
      .addOption(
        new Option('--events <events...>', 'the events to send')
          .choices(listEventsFor('webhook'))
          .default(usualWebhookEvents),
      )
      .option('--personal-data', 'send the lead’s personal data, too')
      .changesStore(runAdd),
    make('remove', 'deletes a webhook; its waiting notifications are not sent', 'remove 019bc0de-…')
      .argument('<id>', 'the webhook’s id')
      .option('--yes', skipConfirmation)
      .changesStore(runRemove),
    make('test', 'sends a test call to a webhook or a postback', 'test 019bc0de-…')
      .argument('<id>', 'the id of a webhook or an affiliate')
      .changesStore(runTest),
  ])
}

async function runList({ store: { zone }, actor, actions }: CommandContext) {
  return reportRows(
    await actions.webhooks.list(actor),
    ({ id, kind, name, waiting, breaker, lastSentAt, lastFailure }) => ({
      Id: id,
      Kind: kind,
      Name: name,
      Status: describeNotificationBreaker(breaker) ?? 'working',
      Waiting: String(waiting),
      'Last sent': lastSentAt === null ? '' : formatIsoTime(lastSentAt, zone),
      'Last error':
        lastFailure === null ? '' : `${lastFailure.reason}, ${formatIsoTime(lastFailure.at, zone)}`,
    }),
    'There are no webhooks, and no affiliate has a postback.',
  )
}

interface AddOptions {
  readonly events: readonly LeadEvent[]
  readonly personalData?: true
}

async function runAdd(
  { actor, actions: { webhooks } }: CommandContext,
  url: string,
  { events, personalData }: AddOptions,
) {
  const fields = { url, events, sendsPersonalData: personalData === true }
  const [fault] = Object.values(webhooks.findFaults(fields))
  if (fault !== undefined) throw new CommandError(`${fault} Nothing was added.`, exitCodes.usage)
  const added = await webhooks.add(actor, fields)
  const text = `Added the webhook ${added.id}. Its signing secret is not shown again:\n\n  ${added.secret}`
  return { json: added, text }
}

async function runRemove(
  { actor, actions: { webhooks } }: CommandContext,
  id: string,
  { yes }: ConfirmOption,
) {
  const { destination } = (await webhooks.find(actor, id)) ?? {}
  if (destination?.kind !== 'webhook') throw makeUnknownWebhookError()
  const { waiting, name } = destination
  if (!yes) await confirm(`${describeWebhookRemoval(waiting)}\nDelete ${name}?`)
  if (!(await webhooks.remove(actor, id))) throw makeUnknownWebhookError()
  const notSent = pluralize(waiting, 'waiting notification is', 'waiting notifications are')
  return { json: { id, removed: true }, text: `Deleted the webhook. ${notSent} not sent.` }
}

async function runTest({ actor, actions: { webhooks } }: CommandContext, id: string) {
  const found = await webhooks.find(actor, id)
  if (found === undefined) throw makeUnknownWebhookError()
  const sent = await webhooks.test(actor, found.destination)
  return reportTest({ id, ...sent })
}

const makeUnknownWebhookError = () =>
  new CommandError('There is no webhook or postback with this id. “webhooks list” shows all.')

/** Reports the answer to a test call. A test that was not accepted ends the command with an error. */
const reportTest = (sent: {
  readonly id?: string
  readonly isAccepted: boolean
  readonly answer: string
}) =>
  sent.isAccepted
    ? { json: sent, text: `The test was accepted: ${sent.answer}.` }
    : { json: sent, error: new CommandError(`The test was not accepted: ${sent.answer}.`) }

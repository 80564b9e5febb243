import { type Command, Option } from 'commander'
import {
  describeNotificationBreaker,
  describeWebhookRemoval,
  type LeadEvent,
  listEventsFor,
} from '#domain/notifications/notification.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { makeWebhookActions, type WebhookActions } from '#server/notifications/manage-webhooks.ts'
import type { Store } from '#server/store/open-store.ts'
import { CommandError, exitCodes } from './errors.ts'
import { allowsPrivateDestinations, findCliActor, withStore, withStoreForChanges } from './store.ts'
import {
  confirm,
  type JsonOption,
  makeCommand,
  makeCommandGroup,
  print,
  printJson,
  printRows,
  type RemoveOptions,
  skipConfirmation,
  toIsoTime,
} from './terminal.ts'

const testTimeoutMs = 10_000

export function makeWebhooksCommand(): Command {
  const make = (name: string, description: string, example = name) =>
    makeCommand(name, description, { examples: [`webhooks ${example}`] })
  const about =
    'notifications about leads to your own systems, and to affiliates by postback; see docs/notifications.md'
  return makeCommandGroup('webhooks', about, 'list', [
    make('list', 'lists webhooks and postbacks with their state').action(runList),
    make(
      'add',
      'adds a webhook and prints its signing secret once',
      'add https://crm.example.edu/leads',
    )
      .argument('<url>', 'an https URL')
      .addOption(
        new Option('--events <events...>', 'the events to send')
          .choices(listEventsFor('webhook'))
          .default(listEventsFor('webhook')),
      )
      .option('--personal-data', 'send the lead’s personal data, too')
      .action(runAdd),
    make('remove', 'deletes a webhook; its waiting notifications are not sent', 'remove 019bc0de-…')
      .argument('<id>', 'the webhook’s id')
      .option('--yes', skipConfirmation)
      .action(runRemove),
    make('test', 'sends a test call to a webhook or a postback', 'test 019bc0de-…')
      .argument('<id>', 'the id of a webhook or an affiliate')
      .action(runTest),
  ])
}

const openWebhooks = ({ operators, audit, clock }: Store): WebhookActions =>
  makeWebhookActions({
    ...{ ...operators, audit, clock },
    timeoutMs: testTimeoutMs,
    allowsLocal: allowsPrivateDestinations(),
  })

async function runList(options: JsonOption): Promise<void> {
  const found = await withStore((store) => openWebhooks(store).list(findCliActor()), options)
  printRows(
    found,
    options,
    ({ id, kind, name, waiting, breaker, lastSentAt, lastFailure }) => ({
      Id: id,
      Kind: kind,
      Name: name,
      Status: describeNotificationBreaker(breaker) ?? 'working',
      Waiting: String(waiting),
      'Last sent': lastSentAt === null ? '' : toIsoTime(lastSentAt),
      'Last error':
        lastFailure === null ? '' : `${lastFailure.reason}, ${toIsoTime(lastFailure.at)}`,
    }),
    'There are no webhooks, and no affiliate has a postback.',
  )
}

async function runAdd(
  url: string,
  options: JsonOption & { events: readonly LeadEvent[]; personalData?: true },
): Promise<void> {
  const fields = { url, events: options.events, sendsPersonalData: options.personalData === true }
  const added = await withStoreForChanges(async (store) => {
    const webhooks = openWebhooks(store)
    const [fault] = Object.values(webhooks.findFaults(fields))
    if (fault !== undefined) throw new CommandError(`${fault} Nothing was added.`, exitCodes.usage)
    return webhooks.add(findCliActor(), fields)
  }, options)
  if (options.json) return printJson(added)
  print(
    `Added the webhook ${added.id}. Its signing secret is not shown again:\n\n  ${added.secret}`,
  )
}

async function runRemove(id: string, { yes, ...options }: RemoveOptions): Promise<void> {
  const waiting = await withStoreForChanges(async (store) => {
    const webhooks = openWebhooks(store)
    const { destination } = (await webhooks.find(findCliActor(), id)) ?? {}
    if (destination?.kind !== 'webhook') throw makeUnknownWebhookError()
    const { waiting, name } = destination
    if (!yes) await confirm(`${describeWebhookRemoval(waiting)}\nDelete ${name}?`)
    if (!(await webhooks.remove(findCliActor(), id))) throw makeUnknownWebhookError()
    return waiting
  }, options)
  if (options.json) printJson({ id, removed: true })
  else
    print(
      `Deleted the webhook. ${pluralize(waiting, 'waiting notification is', 'waiting notifications are')} not sent.`,
    )
}

async function runTest(id: string, options: JsonOption): Promise<void> {
  const sent = await withStoreForChanges(async (store) => {
    const webhooks = openWebhooks(store)
    const found = await webhooks.find(findCliActor(), id)
    if (found === undefined) throw makeUnknownWebhookError()
    return webhooks.test(findCliActor(), found.destination)
  }, options)
  if (options.json) printJson({ id, ...sent })
  if (!sent.isAccepted) throw new CommandError(`The test was not accepted: ${sent.answer}.`)
  if (!options.json) print(`The test was accepted: ${sent.answer}.`)
}

const makeUnknownWebhookError = () =>
  new CommandError('There is no webhook or postback with this id. “webhooks list” shows all.')

import type { Command } from 'commander'
import { formatIsoTime } from '#domain/calendar.ts'
import { pluralize } from '#domain/text/formats.ts'
import {
  describeLeft,
  describePreview,
  describeStop,
  explainUnfinished,
  type StopResult,
} from '#server/delivery/manage-do-not-contact.ts'
import { maxListBytes, parseTypedContact } from '#server/delivery/parse-do-not-contact.ts'
import { makeCommand, makeCommandGroup, type Report } from './command.ts'
import { readCsvFile, refuseCsvFile } from './csv-file.ts'
import { CommandError, exitCodes } from './errors.ts'
import type { CommandContext } from './store.ts'
import { type ConfirmOption, confirm, skipConfirmation } from './terminal.ts'

export function makeDoNotContactCommand(): Command {
  const make = (name: string, description: string) =>
    makeCommand(name, description, [
      `do-not-contact ${name} --email ada@example.com --phone 9415550100`,
    ])
      .option('--email <address>', 'the person’s email address')
      .option('--phone <number>', 'the person’s phone number, with 10 digits')
  const reason = '--reason <text>'
  const about = 'why, without names: the audit log keeps it'
  return makeCommandGroup(
    'do-not-contact',
    'the list of people who asked not to be contacted',
    'add --email ada@example.com',
    [
      make(
        'add',
        'adds a person with the other addresses and numbers in their leads, and ends when nothing about the person is being sent',
      )
        .option(reason, about)
        .option('--yes', skipConfirmation)
        .changesStore(runAdd),
      makeCommand(
        'import',
        'adds the people of a CSV file to the list',
        ['do-not-contact import list.csv'],
        `
The file has email addresses, phone numbers with 10 digits, or their SHA-256 hashes: of the address in lower case, or of
the 10 digits. With a line of headings, the columns whose headings begin with
email, phone, mobile, cell, sha256 or hash count, and no other column may have such a value.
If any line is wrong, nothing is imported. Importing a file again changes nothing.`,
      )
        .argument('<file>', 'the file')
        .changesStore(runImport),
      make('check', 'says whether a person is on the list').readsStore(runCheck),
      make('remove', 'takes a person off the list; leads that a stop kept back stay unsent')
        .option(reason, about)
        .changesStore(runRemove),
    ],
  )
}

interface PersonOptions extends ConfirmOption {
  readonly email?: string
  readonly phone?: string
  readonly reason?: string
}

function readPerson({ email = '', phone = '' }: PersonOptions) {
  const { contact, errors } = parseTypedContact({ email, phone })
  const faults = Object.entries(errors).map(([field, error]) => `--${field}: ${error}`)
  if (faults.length > 0) {
    throw new CommandError(`${faults.join('\n')}\nNothing was done.`, exitCodes.usage)
  }
  return contact
}

async function runAdd(context: CommandContext, options: PersonOptions): Promise<Report> {
  const { reason, yes } = options
  const people = [readPerson(options)]
  const list = context.actions.doNotContact
  if (!yes) {
    await confirm(
      `${describePreview(await list.preview(context.actor, people)).join('\n')}\nStop contact?`,
    )
  }
  return report(await list.stop(context.actor, people, { ...(reason && { reason }) }))
}

async function runImport(context: CommandContext, file: string): Promise<Report> {
  const text = await readCsvFile(file, maxListBytes)
  const result = await context.actions.doNotContact.import(context.actor, text)
  return result.kind === 'imported' ? report(result) : refuseCsvFile(file, result)
}

const report = (result: StopResult): Report => ({
  json: result,
  text: [
    `${describeStop(result)}.`,
    explainUnfinished(result),
    result.sent > 0 &&
      'The console’s page Do not contact lists the leads that were sent, and whom to tell.',
  ]
    .filter(Boolean)
    .join(' '),
})

async function runCheck(context: CommandContext, options: PersonOptions): Promise<Report> {
  const listed = await context.actions.doNotContact.check(context.actor, readPerson(options))
  const times = Object.entries(listed).map(
    ([name, at]) => [name, at && formatIsoTime(at, context.store.zone)] as const,
  )
  return {
    json: { listed: times.some(([, at]) => at !== null), ...Object.fromEntries(times) },
    text: times
      .map(([name, at]) => `${name}: ${at === null ? 'not listed' : `listed since ${at}`}`)
      .join('\n'),
  }
}

async function runRemove(context: CommandContext, options: PersonOptions): Promise<Report> {
  const people = [readPerson(options)]
  const list = context.actions.doNotContact
  const { removed, left } = await list.remove(context.actor, people, options.reason)
  return {
    json: { removed, left },
    text:
      removed === 0
        ? 'The person wasn’t on the list. Nothing was changed.'
        : `Removed from the list: ${pluralize(removed, 'entry', 'entries')}. ${describeLeft(left)} To send an earlier lead, release or retry it.`,
  }
}

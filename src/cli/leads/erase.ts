import { Command } from 'commander'
import { counted } from '#domain/text/counted.ts'
import type { ErasedPerson, PersonToErase } from '#server/leads/erase-person.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { actOnLead, commandLineActor } from '../operators/command-line-actor.ts'
import { refuseMoved, withStore } from '../store/with-store.ts'
import { confirm, examples, print, printJson } from '../terminal/print.ts'
import { erasedBytesNotes } from './about-bytes.ts'
import { describeUnsearched } from './describe-unsearched.ts'

interface EraseOptions {
  readonly email?: string
  readonly id?: string
  readonly yes?: boolean
  readonly json?: boolean
}

const beyond = `
What stays: ids, times, area, program, how each delivery went, and of the consent its text, its time and the page. What
the distributor already has, only the distributor can erase. Backups and earlier exports are yours to see to. SQLite’s files are wiped at once; PostgreSQL keeps old rows
until VACUUM has run, and in its archived log as long as you keep that.`

export const eraseCommand = (): Command =>
  new Command('erase')
    .description(
      'erases a person: name, address, phone, email, IP; stops what would still be sent. Cannot be undone',
    )
    .option('--email <address>', 'the person’s; case and spaces around it do not matter')
    .option('--id <lead>', 'one lead, by its id: the reference number that its visitor was shown')
    .option('--yes', 'skip the confirmation (scripts are never asked)')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('erase --email ada@example.com', 'erase --id 019bc0de-…'))
    .addHelpText('after', beyond)
    .action(erase)

async function erase({ email, id, yes, json }: EraseOptions): Promise<void> {
  const person = personOf(email, id)
  const { erased, state } = await withStore(
    async (store) => {
      const { erasure, state } = store
      const leads = await erasure.count(person)
      if (leads > 0 && !yes)
        await confirm(`Erase the person’s data in ${counted(leads, 'lead')} for good?`)
      const erased = await actOnLead(store).erase(commandLineActor(), person)
      return { erased, state: await state() }
    },
    { json },
  )
  if (json) printJson(erased)
  if (!json && erased.leads > 0) print(inWords(erased))
  // The copy that a move has left holds the person, too. That it is done there is half of what was asked for.
  refuseMoved(state.place, state.movedTo, untouched(erased))
  if (erased.leads === 0) {
    const none = `No lead${erased.unsearched.length > 0 ? ' that was searched' : ''} has this`
    throw new NotDoneError(
      [
        `${none} ${id === undefined ? 'address' : 'id'}, or it is erased already. Nothing was changed.`,
        ...unsearchedOf(erased),
      ].join('\n'),
    )
  }
}

const untouched = ({ leads }: ErasedPerson): string =>
  `${leads === 0 ? 'Nothing was changed' : 'The person was erased in what was left behind alone'}: where the leads are, erase the person, too.`

function personOf(email: string | undefined, id: string | undefined): PersonToErase {
  if (email !== undefined && id === undefined) return emailAddress(email)
  if (id !== undefined && email === undefined) return { leadId: id }
  throw new NotDoneError('Give one of: --email, --id.', exitCodes.usage)
}

const unsearchedOf = ({ unsearched }: ErasedPerson): readonly string[] =>
  unsearched.length > 0 ? [describeUnsearched(unsearched)] : []

function inWords(erased: ErasedPerson): string {
  const { leads, stopped, underWay, delivered, linked, bytes } = erased
  return [
    `The person’s data in ${counted(leads, 'lead')} are erased.`,
    ...(stopped > 0 ? [`${counted(stopped, 'delivery', 'deliveries')} will not be made.`] : []),
    ...(underWay > 0
      ? [
          `${counted(underWay, 'delivery was', 'deliveries were')} with a worker at this moment: “show” tells whether the distributor got it.`,
        ]
      : []),
    ...(delivered > 0
      ? [
          `The distributor has ${counted(delivered, 'of these leads', 'of these leads')}: ask it to erase them, too.`,
        ]
      : []),
    ...(linked.length > 0
      ? [
          `Left, though sent from the same form: ${linked.join(', ')}. “show” tells whether that is the same person.`,
        ]
      : []),
    ...unsearchedOf(erased),
    erasedBytesNotes[bytes],
  ].join('\n')
}

import { Command } from 'commander'
import { makeManageOperators } from '#server/operators/manage-operators.ts'
import { NotDoneError } from '../not-done-error.ts'
import { changeStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { commandLineActor } from './command-line-actor.ts'
import { consoleLink } from './console-link.ts'
import { operatorOf } from './operators.ts'

export const signInLinkCommand = (): Command =>
  new Command('sign-in-link')
    .description('prints a link that signs an operator in, once, within 15 minutes')
    .argument('<email>', 'the operator’s address')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('sign-in-link ada@example.edu'))
    .action(signInLink)

async function signInLink(email: string, { json }: { json?: boolean }): Promise<void> {
  const outcome = await changeStore(
    async (store) => {
      const { operators, audit } = store
      const { id } = await operatorOf(store, email)
      const manage = makeManageOperators({ ...operators, audit, clock: Date.now })
      return manage.link(commandLineActor(), id, 'sign-in')
    },
    { json },
  )
  if (outcome.kind !== 'made') {
    throw new NotDoneError('This operator is disabled: “operators enable” first. Nothing was done.')
  }
  const link = consoleLink(`/sign-in?code=${outcome.code}`)
  if (json) return printJson({ email: outcome.email, link })
  print(`It signs ${outcome.email} in, once, within 15 minutes:\n\n  ${link}`)
}

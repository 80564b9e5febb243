import { leadsCommand } from '#cli/leads-command.ts'
import packageManifest from '../../package.json' with { type: 'json' }

const verbs = new Map(leadsCommand().commands.map((verb) => [verb.name(), verb]))

/**
 * Which words of a command there are not: a script of `npm run`, a verb of `leads`, an option of the verb. A command may
 * begin with its verb, as in `release --all`.
 */
export function unknownIn(command: string): readonly string[] {
  const script = /\bnpm run ([\w:-]+)/.exec(command)?.[1]
  if (script !== undefined && !(script in packageManifest.scripts)) return [`npm run ${script}`]
  const ofLeads = /(?:^|\s)leads (?:-- )?(?<verb>[a-z-]+)(?<rest>.*)$/.exec(command)
  const { verb: name = '', rest = '' } =
    (ofLeads ?? /^(?<verb>[a-z-]+)(?<rest> .*)?$/.exec(command))?.groups ?? {}
  const outer = verbs.get(name)
  if (outer === undefined) return ofLeads ? [`leads ${name}`] : []
  // `operators add`: a verb that is made of others.
  const part = rest.trim().split(' ')[0]
  const verb = outer.commands.find((inner) => inner.name() === part) ?? outer
  const options = verb.options.map(({ long }) => long)
  return (rest.match(/--[a-z-]+/g) ?? [])
    .filter((option) => !options.includes(option))
    .map((option) => `leads ${name} ${option}`)
}

import { makeLeadsCommand } from '#cli/leads-command.ts'
import packageManifest from '../../package.json' with { type: 'json' }

const verbs = new Map(makeLeadsCommand().commands.map((verb) => [verb.name(), verb]))

/**
 * Lists the words of a command line that do not exist: a script of `npm run`, a command of `leads`, or its option. The
 * line may begin with the command itself, as in `release --all`.
 */
export function unknownIn(command: string): readonly string[] {
  const script = /\bnpm run ([\w:-]+)/.exec(command)?.[1]
  if (script !== undefined && !(script in packageManifest.scripts)) return [`npm run ${script}`]
  const ofLeads = /(?:^|\s)leads (?:-- )?(?<verb>[a-z-]+)(?<rest>.*)$/.exec(command)
  const { verb: name = '', rest = '' } =
    (ofLeads ?? /^(?<verb>[a-z-]+)(?<rest> .*)?$/.exec(command))?.groups ?? {}
  const outer = verbs.get(name)
  if (outer === undefined) return ofLeads ? [`leads ${name}`] : []
  // A command with subcommands, such as `operators add`.
  const part = rest.trim().split(' ')[0]
  const verb = outer.commands.find((inner) => inner.name() === part) ?? outer
  const options = verb.options.map(({ long }) => long)
  return (rest.match(/--[a-z-]+/g) ?? [])
    .filter((option) => !options.includes(option))
    .map((option) => `leads ${name} ${option}`)
}

import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import type { SiteWords } from '#content/site-words.ts'
import { areaPath, areas } from '#domain/area.ts'
import { counted } from '#domain/text/counted.ts'
import { readContent } from '#server/content/read-content.ts'
import { contentFolder } from '#server/start/read-start.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { projectFolder } from '../server-settings.ts'
import { examples, print, printJson, table } from '../terminal/print.ts'

const about = `
Nothing is changed, no server and no store is needed. 0: a server takes them, at its start or on SIGHUP. 78: it would not;
every fault is listed with its file and line. What the files have in them: content/README.md.`

export const contentCommand = (): Command =>
  new Command('content')
    .description('says whether your words and colors can be served, and what is worth a look')
    .addArgument(new Argument('<what>', 'what to do').choices(['check']))
    .argument('[folder]', `instead of the server’s own, ${contentFolder}`)
    .option('--json', 'as JSON')
    .addHelpText('after', examples('content check', 'content check words-of-december'))
    .addHelpText('after', about)
    .action(check)

function check(_: string, given: string | undefined, { json }: { json?: boolean }): void {
  const folder = given ?? resolve(projectFolder, contentFolder)
  const read = readContent(folder)
  if (!read.ok) {
    if (json) printJson({ folder, ...read })
    throw new NotDoneError(
      ['The words are at fault, and no server takes them:', ...listed(read.faults)].join('\n'),
      exitCodes.configuration,
    )
  }
  const old = oldClaims(read.words, Date.now())
  if (json) printJson({ folder, ok: true, worthALook: old })
  else print(inWords(read.words, old))
}

function inWords(words: SiteWords, old: readonly string[]): string {
  const rows = areas.map((area) => {
    const { name, headline, colors } = words.areas[area]
    return [areaPath(area), name, colors.accent, headline]
  })
  const pages = Object.keys(words.legal).length
  return [
    `The words are right: ${counted(areas.length, 'landing page')}, ${counted(pages, 'legal page')}.`,
    '',
    table(['Page', 'Name', 'Accent', 'Headline'], rows),
    ...(old.length > 0 ? ['', 'Worth a look:', ...listed(old)] : []),
  ].join('\n')
}

const listed = (lines: readonly string[]): readonly string[] => lines.map((line) => `  - ${line}`)

const yearInMs = 365 * 86_400_000

/** A figure that nobody has looked up for a year may have changed at its source. */
function oldClaims(words: SiteWords, now: number): readonly string[] {
  const figures = areas.flatMap((area) => words.areas[area].figures)
  const old = figures.filter(({ checked }) => now - Date.parse(checked) > yearInMs)
  return [
    ...new Set(
      old.map(
        ({ figure, label, checked, source }) =>
          `${figure} ${label}: looked up on ${checked}, ${source}`,
      ),
    ),
  ]
}

import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { type Area, areaPath } from '#domain/area.ts'
import { type AreaOffer, summarizeOffer } from '#domain/catalogue/catalogue.ts'
import { counted } from '#domain/text/counted.ts'
import type { CheckedCatalogue } from '#server/content/read-catalogue.ts'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { catalogueFile } from '#server/start/read-start.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { projectFolder } from '../server-settings.ts'
import { examples, print, printJson, table } from '../terminal/print.ts'

type RightCatalogue = Extract<CheckedCatalogue, { ok: true }>

const about = `
Nothing is changed, no server and no store is needed. 0: a server takes it, at its start or on SIGHUP. 78: it would not;
every fault is listed with its line. What the columns mean: catalogue/README.md.`

export const catalogueCommand = (): Command =>
  new Command('catalogue')
    .description('says whether a list of programs can be served, and what would be on offer where')
    .addArgument(new Argument('<what>', 'what to do').choices(['check']))
    .argument('[file]', `instead of the server’s own, ${catalogueFile}`)
    .option('--json', 'as JSON')
    .addHelpText('after', examples('catalogue check', 'catalogue check programs-of-december.csv'))
    .addHelpText('after', about)
    .action(check)

function check(_: string, given: string | undefined, { json }: { json?: boolean }): void {
  const file = given ?? resolve(projectFolder, catalogueFile)
  const name = given ?? catalogueFile
  const read = readCatalogue(file)
  if (!read.ok) {
    if (json) printJson({ file, ...read })
    const faults = read.faults.map((fault) => `  - ${fault}`)
    throw new NotDoneError(
      [`${name} is at fault, and no server takes it:`, ...faults].join('\n'),
      exitCodes.configuration,
    )
  }
  if (json) printJson({ file, ...read, areas: summarizeOffer(read.programs) })
  else print(inWords(name, read))
}

function inWords(name: string, { programs, notOffered }: RightCatalogue): string {
  const areas = summarizeOffer(programs)
  const out = notOffered.map((program) => `  ${program.id}  ${program.name}`)
  const warnings = areas.flatMap(warningsOf).map((warning) => `  - ${warning}`)
  return [
    `${name} is right. On offer: ${counted(programs.length, 'program')}.`,
    '',
    table(
      ['Page', 'Programs', 'Featured'],
      areas.map((area) => [areaPath(area.area), String(area.programs), String(area.featured)]),
    ),
    ...(out.length > 0 ? ['', 'Not on offer:', ...out] : []),
    ...(warnings.length > 0 ? ['', 'Worth a look:', ...warnings] : []),
  ].join('\n')
}

function warningsOf({ area, programs, featured, wholeAreaFor }: AreaOffer): string[] {
  const page = areaPath(area)
  if (programs === 0) return [withoutPrograms(area)]
  return [
    ...(featured === 0 ? [`${page} has no featured program`] : []),
    ...wholeAreaFor.map(
      (level) => `${page} has nothing for “${level}”: these visitors are offered all of its list`,
    ),
  ]
}

const withoutPrograms = (area: Area): string =>
  area === 'general'
    ? 'no program is featured: the first page offers all of them'
    : `${areaPath(area)} has no program of its own: its page offers those of the first page`

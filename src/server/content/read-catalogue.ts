import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { programTypes } from '#domain/area.ts'
import { degreeTypes, type Program } from '#domain/catalogue/catalogue.ts'
import { decodeCsv, type LineFault, parseCsvLines } from '#server/platform/csv-lines.ts'

/** The catalogue's path within the project's folder. */
export const catalogueFile = 'catalogue/programs.csv'

type CatalogueResult =
  /** The programs on offer, which visitors find on pages and in the API (reading 27). */
  | {
      readonly ok: true
      readonly programs: readonly Program[]
      /** The programs that are not on offer; only the operator sees them. */
      readonly notOffered: readonly Program[]
    }
  /** The faults as sentences for the operator, in the order of the file's lines. */
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads and checks the operator's list of programs. Returns an unreadable file as a fault instead of throwing. */
export function readCatalogue(path: string | URL): CatalogueResult {
  let text: string
  try {
    text = decodeCsv(readFileSync(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { ok: false, faults: [`the file cannot be read (${code})`] }
  }
  return parseCatalogue(text)
}

/** Parses the list of programs, a CSV file with a header. Returns the programs, or every fault (reading 5). */
export function parseCatalogue(text: string): CatalogueResult {
  const faults: LineFault[] = []
  const [header, ...rows] = parseCsvLines(text, faults)
  const columns = header?.values ?? []
  const isComplete = required.every((column) => columns.includes(column))
  const known = [...required, 'offered']
  const areKnown = columns.every(
    (column, index) => known.includes(column) && columns.indexOf(column) === index,
  )
  if (!isComplete || !areKnown) {
    const message = `this line must name the columns ${required.join(', ')} and optionally offered, each once`
    faults.push({ line: header?.line ?? 1, message })
  }
  const programs: Program[] = []
  const notOffered: Program[] = []
  const lineOfId = new Map<string, number>()
  // Without all columns, no row is checked, because each row would repeat the header's fault.
  for (const { line, values } of isComplete ? rows : []) {
    if (values.length > columns.length) {
      const counts = `${values.length} values where the header has ${columns.length}`
      faults.push({ line, message: `${counts}: put a value that has a comma in quotes` })
      continue
    }
    // Spreadsheets omit empty cells at the end of a row.
    const row = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']))
    const { id = '' } = row
    const earlier = lineOfId.get(id)
    if (earlier !== undefined)
      faults.push({ line, message: `id ${id} is on line ${earlier} already` })
    else if (id !== '') lineOfId.set(id, line)
    const read = v.safeParse(programRow, row)
    if (!read.success) {
      faults.push(...read.issues.map(({ message }) => ({ line, message })))
      continue
    }
    const { offered, ...program } = read.output
    if (offered) programs.push(program)
    else notOffered.push(program)
  }
  if (faults.length > 0) {
    const inOrder = faults.toSorted((one, other) => one.line - other.line)
    return { ok: false, faults: inOrder.map(({ line, message }) => `line ${line}: ${message}`) }
  }
  // One program on offer is enough, because `findOfferedPrograms` shows it in areas without programs of their own.
  return programs.length === 0
    ? { ok: false, faults: ['no program is on offer: the pages would have nothing to choose'] }
    : { ok: true, programs, notOffered }
}

const quoteInput = ({ input }: { readonly input: unknown }) => JSON.stringify(input)

const programRow = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,8}$/, (issue) => `id ${quoteInput(issue)} is not a whole number above 0`),
    v.transform(Number),
  ),
  name: v.pipe(
    v.string(),
    v.nonEmpty('name is empty'),
    v.regex(/^[^\n]*$/, 'name has a line break'),
  ),
  active: v.pipe(
    v.picklist(['yes', ''], (issue) => `active ${quoteInput(issue)} is neither yes nor empty`),
    v.transform((text) => text === 'yes'),
  ),
  types: v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .split(';')
        .map((type) => type.trim())
        .filter((type) => type !== ''),
    ),
    v.minLength(1, `types is empty: name at least one of ${programTypes.join(', ')}`),
    v.array(
      v.picklist(
        programTypes,
        (issue) => `type ${quoteInput(issue)} is none of ${programTypes.join(', ')}`,
      ),
    ),
  ),
  degreeType: v.picklist(
    degreeTypes,
    (issue) => `degreeType ${quoteInput(issue)} is none of ${degreeTypes.join(', ')}`,
  ),
  // Only `no` takes a program off the site (reading 27), because an operator may add this column and leave cells empty.
  offered: v.pipe(
    v.optional(v.string(), ''),
    v.picklist(['yes', 'no', ''], (issue) => `offered ${quoteInput(issue)} is neither yes nor no`),
    v.transform((text) => text !== 'no'),
  ),
})

const required = Object.keys(programRow.entries).filter((column) => column !== 'offered')

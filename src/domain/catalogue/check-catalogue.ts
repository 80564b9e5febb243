import * as v from 'valibot'
import { programTypes } from '../area.ts'
import { degreeTypes, type Program } from './catalogue.ts'

/** One row of the operator's file: its line number, and its trimmed values by column. */
export interface CatalogueRow {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
}

export interface CatalogueFault {
  readonly line: number
  readonly message: string
}

export type CheckedCatalogue =
  /** The programs on offer; every reader uses this list (reading 27). */
  | {
      readonly ok: true
      readonly programs: readonly Program[]
      /** Shown to the operator only. */
      readonly notOffered: readonly Program[]
    }
  /** Sentences for the operator, in the order of the file's lines. */
  | { readonly ok: false; readonly faults: readonly string[] }

const quoted = ({ input }: { readonly input: unknown }) => JSON.stringify(input)

const programRow = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,8}$/, (issue) => `id ${quoted(issue)} is not a whole number above 0`),
    v.transform(Number),
  ),
  name: v.pipe(v.string(), v.nonEmpty('name is empty')),
  active: v.pipe(
    v.picklist(['yes', ''], (issue) => `active ${quoted(issue)} is neither yes nor empty`),
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
        (issue) => `type ${quoted(issue)} is none of ${programTypes.join(', ')}`,
      ),
    ),
  ),
  degreeType: v.picklist(
    degreeTypes,
    (issue) => `degreeType ${quoted(issue)} is none of ${degreeTypes.join(', ')}`,
  ),
  // Only a no takes a program out (reading 27): where the column is new, what was left empty stays on offer.
  offered: v.pipe(
    v.optional(v.string(), ''),
    v.picklist(['yes', 'no', ''], (issue) => `offered ${quoted(issue)} is neither yes nor no`),
    v.transform((text) => text !== 'no'),
  ),
})

const { offered, ...required } = programRow.entries

export const catalogueColumns = Object.keys(required)

/** A file may have these, too. */
export const optionalColumns = Object.keys({ offered })

/**
 * Turns the file's rows into programs, or lists every fault at once, each with its line (reading 5).
 * @param faultsOfFile what the reader of the file found, to be listed with the rest
 */
export function checkCatalogue(
  rows: readonly CatalogueRow[],
  faultsOfFile: readonly CatalogueFault[] = [],
): CheckedCatalogue {
  const faults = [...faultsOfFile]
  const programs: Program[] = []
  const notOffered: Program[] = []
  const lineOfId = new Map<string, number>()

  for (const { line, values } of rows) {
    const { id = '' } = values
    const earlier = lineOfId.get(id)
    if (earlier === undefined) lineOfId.set(id, line)
    else if (id !== '') faults.push({ line, message: `id ${id} stands on line ${earlier} already` })

    const read = v.safeParse(programRow, values)
    if (!read.success) {
      faults.push(...read.issues.map(({ message }) => ({ line, message })))
      continue
    }
    const { offered: isOffered, ...program } = read.output
    if (isOffered) programs.push(program)
    else notOffered.push(program)
  }

  if (faults.length > 0) {
    const inOrder = faults.toSorted((one, other) => one.line - other.line)
    return { ok: false, faults: inOrder.map(({ line, message }) => `line ${line}: ${message}`) }
  }
  // With one on offer every page has something to choose: see `programsOfArea`.
  return programs.length === 0
    ? { ok: false, faults: ['no program is on offer: the pages would have nothing to choose'] }
    : { ok: true, programs, notOffered }
}

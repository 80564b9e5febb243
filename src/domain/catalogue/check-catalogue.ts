import { type Area, areas } from '../area.ts'
import { educationLevels } from './degree-level.ts'
import { offerPrograms, programsOfArea } from './offered-programs.ts'
import {
  type DegreeType,
  degreeTypes,
  type Program,
  type ProgramType,
  programTypes,
} from './program.ts'

/** One row of the operator's file: its values by column, and the line that it starts on. */
export interface CatalogueRow {
  readonly line: number
  readonly values: Readonly<Record<string, string>>
}

export const catalogueColumns = ['id', 'name', 'active', 'types', 'degreeType'] as const

export type CheckedCatalogue =
  | { readonly ok: true; readonly programs: readonly Program[] }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads the catalogue's rows and lists every fault at once, each with its line (ruling 5). */
export function checkCatalogue(rows: readonly CatalogueRow[]): CheckedCatalogue {
  const faults: string[] = []
  const programs: Program[] = []
  const lineOfId = new Map<number, number>()

  for (const { line, values } of rows) {
    const fault = (message: string) => faults.push(`line ${line}: ${message}`)
    const id = Number(values.id)
    const earlier = lineOfId.get(id)
    if (!/^[1-9]\d{0,8}$/.test(values.id ?? '')) {
      fault(`id "${values.id ?? ''}" is not a whole number above 0`)
    } else if (earlier !== undefined) {
      fault(`id ${id} stands on line ${earlier} already`)
    } else {
      lineOfId.set(id, line)
    }

    const name = (values.name ?? '').trim()
    if (name === '') fault('name is empty')

    const active = readActive(values.active ?? '')
    if (active === undefined) fault(`active "${values.active}" is neither "yes" nor empty`)

    const types = (values.types ?? '')
      .split(';')
      .map((type) => type.trim())
      .filter((type) => type !== '')
    if (types.length === 0) fault('types is empty: name at least one area')
    for (const type of types) {
      if (!isProgramType(type)) fault(`type "${type}" is none of ${programTypes.join(', ')}`)
    }

    const degreeType = (values.degreeType ?? '').trim()
    if (!isDegreeType(degreeType)) {
      fault(`degreeType "${degreeType}" is none of ${degreeTypes.join(', ')}`)
      continue
    }
    programs.push({
      id,
      name,
      active: active ?? false,
      types: types.filter(isProgramType),
      degreeType,
    })
  }

  if (faults.length === 0) faults.push(...deadEnds(programs))
  return faults.length > 0 ? { ok: false, faults } : { ok: true, programs }
}

/** An area without any program would leave its visitors with nothing to choose (ruling 2). */
function deadEnds(programs: readonly Program[]): string[] {
  const isDeadEnd = (area: Area) =>
    educationLevels.some(
      ({ id }) => offerPrograms(programsOfArea(programs, area), id).programs.length === 0,
    )
  return areas
    .filter(isDeadEnd)
    .map((area) =>
      area === 'general'
        ? 'no program is active: the general page would have nothing to offer'
        : `no program has the type of the area ${area}: its page would have nothing to offer`,
    )
}

function readActive(value: string): boolean | undefined {
  const text = value.trim().toLowerCase()
  if (text === 'yes') return true
  return text === '' || text === 'no' ? false : undefined
}

const isProgramType = (type: string): type is ProgramType =>
  (programTypes as readonly string[]).includes(type)

const isDegreeType = (type: string): type is DegreeType =>
  (degreeTypes as readonly string[]).includes(type)

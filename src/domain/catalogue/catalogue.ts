import { type Area, areaDefinitions, type ProgramType } from '../area.ts'
import { unchosenEducationLevel } from '../enquiry/answers.ts'

export interface Program {
  readonly id: number
  readonly name: string
  readonly active: boolean
  readonly types: readonly ProgramType[]
  readonly degreeType: DegreeType
}

export const degreeTypes = ['Bachelors', 'Masters', 'Certificate'] as const
export type DegreeType = (typeof degreeTypes)[number]

/** The degree levels with the specification's spelling and numbers. No page shows these names (reading 4). */
export const degreeLevels = {
  Associates: 0,
  Bachelors: 1,
  Masters: 2,
  Doctorates: 3,
  Diploma: 4,
  Cerfificate: 5,
  None: 6,
} as const

type DegreeLevel = keyof typeof degreeLevels

/** The education levels, with the names that visitors and operators read. */
export const educationLevels = [
  { id: 787, name: 'Some college' },
  { id: 790, name: 'Associate degree' },
  { id: 791, name: 'Bachelor’s degree' },
  { id: 792, name: 'Master’s degree' },
] as const

/** Maps an education level's id to a degree level: no choice to None, and an unknown id to Diploma (reading 3). */
export function toDegreeLevel(educationLevel: number): DegreeLevel {
  switch (educationLevel) {
    case unchosenEducationLevel:
      return 'None'
    case 790:
      return 'Associates'
    case 791:
      return 'Bachelors'
    case 792:
      return 'Masters'
    case 793:
      return 'Doctorates'
    default:
      return 'Diploma'
  }
}

/** The degree types that each degree level allows, from the specification's “Program list by education level”. */
const allowedDegreeTypes: Partial<Record<DegreeLevel, readonly DegreeType[]>> = {
  None: ['Certificate'],
  Associates: ['Certificate', 'Bachelors'],
  Diploma: ['Certificate', 'Bachelors'],
  Bachelors: ['Certificate', 'Bachelors', 'Masters'],
  Masters: ['Masters'],
  Doctorates: ['Masters'],
}

/** Returns whether the education level allows the program. A degree level without a rule allows every program. */
export function isProgramOpenTo(program: Program, educationLevel: number): boolean {
  return allowedDegreeTypes[toDegreeLevel(educationLevel)]?.includes(program.degreeType) ?? true
}

/** Lists an area's programs, featured ones first. The general area has only featured programs (reading 2). */
export function findAreaPrograms(catalogue: readonly Program[], area: Area): readonly Program[] {
  const { programType } = areaDefinitions[area]
  if (programType === null) return catalogue.filter((program) => program.active)
  const programsOfType = catalogue.filter(({ types }) => types.includes(programType))
  return [
    ...programsOfType.filter((program) => program.active),
    ...programsOfType.filter((program) => !program.active),
  ]
}

/** Lists the programs that an area's form offers. An area without programs offers the general area's (reading 2). */
export const findOfferedPrograms = (
  catalogue: readonly Program[],
  area: Area,
): readonly Program[] =>
  [findAreaPrograms(catalogue, area), findAreaPrograms(catalogue, 'general')].find(
    (programs) => programs.length > 0,
  ) ?? catalogue

/** @param id the program's id as text, because forms and URLs contain text */
export const findProgram = (programs: readonly Program[], id?: string): Program | undefined =>
  programs.find((program) => String(program.id) === id)

/** Lists the programs to choose from. If the education level allows no program, the form offers all (reading 2). */
export function toProgramOptions(offeredPrograms: readonly Program[], educationLevel: number) {
  const open = offeredPrograms.filter((program) => isProgramOpenTo(program, educationLevel))
  return open.length > 0
    ? { programs: open, isWholeArea: false }
    : { programs: offeredPrograms, isWholeArea: true }
}

export const sortByName = (programs: readonly Program[]): readonly Program[] =>
  [...programs].sort((a, b) => a.name.localeCompare(b.name))

/**
 * Groups programs by degree: bachelor's degrees first, certificates last; within a group by name. Degrees without
 * programs are left out.
 */
export const groupProgramsByDegree = (programs: readonly Program[]) =>
  degreeTypes
    .map((degreeType) => ({
      degreeType,
      programs: sortByName(programs.filter((program) => program.degreeType === degreeType)),
    }))
    .filter((group) => group.programs.length > 0)

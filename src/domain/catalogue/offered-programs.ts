import { type Area, areaRows } from '../area.ts'
import { type DegreeLevel, degreeLevelOf } from './degree-level.ts'
import type { DegreeType, Program } from './program.ts'

/** The specification's "Program list by education level", for the degree types that a program can have. */
const openTo: Partial<Record<DegreeLevel, readonly DegreeType[]>> = {
  None: ['Certificate'],
  Associates: ['Certificate', 'Bachelors'],
  Diploma: ['Certificate', 'Bachelors'],
  Bachelors: ['Certificate', 'Bachelors', 'Masters'],
  Masters: ['Masters'],
  Doctorates: ['Masters'],
}

/** A level that the rule does not name sees every program. */
export function isOpenTo(program: Program, educationLevel: number): boolean {
  return openTo[degreeLevelOf(educationLevel)]?.includes(program.degreeType) ?? true
}

/** The featured programs of every type for the general area, all of its own for another, featured first (reading 2). */
export function ownPrograms(catalogue: readonly Program[], area: Area): readonly Program[] {
  const { programType } = areaRows[area]
  if (programType === null) return catalogue.filter((program) => program.active)
  const mine = catalogue.filter(({ types }) => types.includes(programType))
  return [...mine.filter((program) => program.active), ...mine.filter((program) => !program.active)]
}

/**
 * What an area's form offers: its own programs. Where it has none, those of the general form, and where no program is
 * featured, all: nobody is left with nothing to choose (reading 2).
 */
export const programsOfArea = (catalogue: readonly Program[], area: Area): readonly Program[] =>
  [ownPrograms(catalogue, area), ownPrograms(catalogue, 'general')].find(
    (programs) => programs.length > 0,
  ) ?? catalogue

/** @param id as a form has it, as text; undefined is returned where none on offer has it */
export const findProgram = (programs: readonly Program[], id: string): Program | undefined =>
  programs.find((program) => String(program.id) === id)

export interface Offer {
  readonly programs: readonly Program[]
  /** True where the level's rule left nothing and the whole area is offered instead; the page says so (reading 2). */
  readonly wholeArea: boolean
}

/**
 * What the program step offers.
 * @param ofArea the result of {@link programsOfArea}
 */
export function offerPrograms(ofArea: readonly Program[], educationLevel: number): Offer {
  const open = ofArea.filter((program) => isOpenTo(program, educationLevel))
  return open.length > 0
    ? { programs: open, wholeArea: false }
    : { programs: ofArea, wholeArea: true }
}

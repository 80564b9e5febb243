import { noEducationLevel } from './no-education-level.ts'

/**
 * The enumeration of degree levels, spelt as the product spells it.
 * Its names go over the wire at most; nobody reads them on a page (reading 4).
 */
export const degreeLevels = {
  Associates: 0,
  Bachelors: 1,
  Masters: 2,
  Doctorates: 3,
  Diploma: 4,
  Cerfificate: 5,
  None: 6,
} as const

export type DegreeLevel = keyof typeof degreeLevels

/** The options, in the specification's order. */
export const educationLevels = [
  { id: 787, name: 'Some College' },
  { id: 790, name: 'Associates Degree' },
  { id: 791, name: 'Bachelors Degree' },
  { id: 792, name: 'Masters Degree' },
] as const

/** The specification's mapping: 790 to 793 by name, nothing chosen is None, anything else Diploma (reading 3). */
export function degreeLevelOf(educationLevel: number): DegreeLevel {
  switch (educationLevel) {
    case noEducationLevel:
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

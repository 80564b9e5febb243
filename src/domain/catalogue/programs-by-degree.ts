import { type DegreeType, degreeTypes, type Program } from './program.ts'

export interface ProgramGroup {
  readonly degreeType: DegreeType
  readonly programs: readonly Program[]
}

/** Bachelor's degrees first, certificates last; a degree without programs is left out. */
export const programsByDegree = (programs: readonly Program[]): readonly ProgramGroup[] =>
  degreeTypes
    .map((degreeType) => ({
      degreeType,
      programs: programs.filter((program) => program.degreeType === degreeType),
    }))
    .filter((group) => group.programs.length > 0)

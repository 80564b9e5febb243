import type { ProgramType } from '../area.ts'

/** A program's fields as the specification lists them. */
export interface Program {
  readonly id: number
  readonly name: string
  /** Marks a featured program. */
  readonly active: boolean
  readonly types: readonly ProgramType[]
  readonly degreeType: DegreeType
}

export const degreeTypes = ['Bachelors', 'Masters', 'Certificate'] as const
export type DegreeType = (typeof degreeTypes)[number]

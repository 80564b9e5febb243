import type { DegreeType } from '#domain/catalogue/catalogue.ts'

interface DegreeWords {
  /** Over a list of them. */
  readonly plural: string
  readonly singular: string
  /** After a number, where room is short. */
  readonly counted: (number: number) => string
}

export const degreeWords: Record<DegreeType, DegreeWords> = {
  Bachelors: {
    plural: 'Bachelor’s degrees',
    singular: 'Bachelor’s degree',
    counted: (number) => `${number} bachelor’s`,
  },
  Masters: {
    plural: 'Master’s degrees',
    singular: 'Master’s degree',
    counted: (number) => `${number} master’s`,
  },
  Certificate: {
    plural: 'Certificates',
    singular: 'Certificate',
    counted: (number) => `${number} certificate${number === 1 ? '' : 's'}`,
  },
}

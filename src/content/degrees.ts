import type { DegreeType } from '#domain/catalogue/catalogue.ts'

interface DegreeWords {
  /** The heading of a list of these degrees. */
  readonly plural: string
  /** A short form after a number, for places with little room. */
  readonly counted: (number: number) => string
}

export const degreeWords: Record<DegreeType, DegreeWords> = {
  Bachelors: {
    plural: 'Bachelor’s degrees',
    counted: (number) => `${number} bachelor’s`,
  },
  Masters: {
    plural: 'Master’s degrees',
    counted: (number) => `${number} master’s`,
  },
  Certificate: {
    plural: 'Certificates',
    counted: (number) => `${number} certificate${number === 1 ? '' : 's'}`,
  },
}

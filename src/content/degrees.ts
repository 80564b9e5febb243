import type { DegreeType } from '#domain/catalogue/catalogue.ts'

/** The heading above programs of a degree type, and a short form for their number. */
export const degreeLabels = {
  Bachelors: { plural: 'Bachelor’s degrees', counted: (count: number) => `${count} bachelor’s` },
  Masters: { plural: 'Master’s degrees', counted: (count: number) => `${count} master’s` },
  Certificate: {
    plural: 'Certificates',
    counted: (count: number) => `${count} certificate${count === 1 ? '' : 's'}`,
  },
} satisfies Record<DegreeType, object>

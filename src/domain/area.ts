/** The landing pages' program areas, a row each: the specification's "form type" (reading 20). */
export const areaRows = {
  general: { category: 0, programType: null, drawing: 'general', pixel: 'default' },
  business: { category: 2, programType: 'Business', drawing: 'business', pixel: 'default' },
  education: { category: 4, programType: 'Education', drawing: 'education', pixel: 'default' },
  healthcare: {
    category: 1,
    programType: 'Healthcare',
    drawing: 'healthcare',
    pixel: 'healthcare',
  },
  technology: {
    category: 3,
    programType: 'Technology',
    drawing: 'technology',
    pixel: 'technology',
  },
} as const satisfies Record<string, AreaRow>

interface AreaRow {
  /** Its number in the specification's enumeration Category. */
  readonly category: number
  /**
   * The catalogue's type of its programs; null for an area without a type, which shows the
   * featured programs of all areas.
   */
  readonly programType: string | null
  /** The SVG of src/site/landing/pictures that is shown if the operator has no photograph. */
  readonly drawing: string
  /** The thank-you screen's variant of the measurement pixel: there are these three. */
  readonly pixel: 'healthcare' | 'technology' | 'default'
}

export type Area = keyof typeof areaRows

export const areas = Object.keys(areaRows) as readonly Area[]

export type ProgramType = NonNullable<(typeof areaRows)[Area]['programType']>

export const programTypes = areas.flatMap((area) => areaRows[area].programType ?? [])

/** Where the area's landing page lies. */
export const areaPath = (area: Area): string => (area === 'general' ? '/' : `/${area}`)

/** The route pattern of a parameter `{id}` (ruling 32): any other segment is a missing file. */
export const areaIdPattern = '[A-Za-z0-9-]+'

/** Reads the route parameter `{id}` without regard to case; any other value is the general area. */
export function areaFromRoute(id: string | undefined): Area {
  const wanted = id?.toLowerCase()
  return areas.find((area) => area === wanted) ?? 'general'
}

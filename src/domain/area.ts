/** The program areas, each with its own landing page. The specification calls an area a “form type” (reading 20). */
export const areaDefinitions = {
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
  /** The area's number in the specification's enumeration Category. */
  readonly category: number
  /** The type of the area's programs in the catalogue; null for the general area, which shows all featured programs. */
  readonly programType: string | null
  /** The SVG file in src/site/landing/pictures that the page shows if the operator has no photograph. */
  readonly drawing: string
  /** The variant of the tracking pixel on the area's thank-you screen. */
  readonly pixel: 'healthcare' | 'technology' | 'default'
}

export type Area = keyof typeof areaDefinitions

export const areas = Object.keys(areaDefinitions) as readonly Area[]

/** The areas with programs of their own: all but the general area. */
export const fieldAreas = areas.filter((area) => area !== 'general')

export type ProgramType = NonNullable<(typeof areaDefinitions)[Area]['programType']>

export const programTypes = areas.flatMap((area) => areaDefinitions[area].programType ?? [])
export const areaPath = (area: Area): string => (area === 'general' ? '/' : `/${area}`)

/** The pattern of `{id}` in a landing page's path. A path that does not match leads to a 404 (reading 32). */
export const areaIdPattern = '[A-Za-z0-9-]+'

/** Finds the area that `{id}` in a landing page's path names, in any case; the general area for an unknown name. */
export function parseArea(id: string | undefined): Area {
  const wanted = id?.toLowerCase()
  return areas.find((area) => area === wanted) ?? 'general'
}

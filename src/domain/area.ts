/** The landing pages' program areas: the specification's "form type" (section 2; ruling 20). */
export const areas = ['general', 'business', 'education', 'healthcare', 'technology'] as const

export type Area = (typeof areas)[number]

/** Where the area's landing page lies (section 2). */
export const areaPath = (area: Area): string => (area === 'general' ? '/' : `/${area}`)

/** The enumeration Category of the specification, section 3. */
export const categoryNumbers: Record<Area, number> = {
  general: 0,
  healthcare: 1,
  business: 2,
  technology: 3,
  education: 4,
}

/** Reads the route parameter `{id}` without regard to case; any other value is the general area (section 2). */
export function areaFromRoute(id: string | undefined): Area {
  const wanted = id?.toLowerCase()
  return areas.find((area) => area === wanted) ?? 'general'
}

import { legalPaths } from '#content/site-words.ts'
import { areaPath, areas } from '#domain/area.ts'

/** The path of every page that can be found: each area's and the legal ones. */
export const sitePages: readonly string[] = [...areas.map(areaPath), ...legalPaths]

import { legalPaths } from '#content/site-texts.ts'
import { areaPath, areas } from '#domain/area.ts'

/** The path of every public page: those of the areas and the legal ones. */
export const sitePages: readonly string[] = [...areas.map(areaPath), ...legalPaths]

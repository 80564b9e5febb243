import { legalPaths } from '../../src/content/site-texts.ts'
import { areaPath, areas } from '../../src/domain/area.ts'

export const landingPages: readonly string[] = areas.map(areaPath)

export const legalPages: readonly string[] = legalPaths

import { pageLinks } from '../src/content/legal/page-links.ts'
import { areaPath, areas } from '../src/domain/area.ts'

export const landingPages: readonly string[] = areas.map(areaPath)

export const legalPages: readonly string[] = Object.values(pageLinks).map(({ href }) => href)

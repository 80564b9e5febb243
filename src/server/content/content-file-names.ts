import type { LegalPath } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'

export const siteFileName = 'site.yaml'
export const areaFileName = (area: Area): string => `${area}.yaml`
export const legalFileName = (path: LegalPath): string => `${path.split('/').at(-1)}.md`

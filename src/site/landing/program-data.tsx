import { type Area, areaPath } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import type { PageContext } from '../shell/document.tsx'
import { JsonScript } from '../shell/json-script.tsx'

const credentials: Readonly<Record<DegreeType, string>> = {
  Bachelors: 'Bachelor’s degree',
  Masters: 'Master’s degree',
  Certificate: 'Certificate',
}

interface ProgramDataProps {
  context: PageContext
  area: Area
  programs: readonly Program[]
}

/**
 * Describes a page's programs for search engines and AI agents, as JSON-LD
 * (https://schema.org/EducationalOccupationalProgram).
 */
export function ProgramData({ context, area, programs }: ProgramDataProps) {
  const { names, siteOrigin, texts } = context
  const { telephone } = texts.shared
  const school = `${siteOrigin}/#school`
  const data = {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'CollegeOrUniversity',
        '@id': school,
        name: names.school,
        ...(telephone && { telephone: telephone.number }),
      },
      ...programs.map(({ id, name, degreeType }) => ({
        '@type': 'EducationalOccupationalProgram',
        name,
        url: `${siteOrigin}${areaPath(area)}?program=${id}`,
        educationalCredentialAwarded: credentials[degreeType],
        educationalProgramMode: 'online',
        provider: { '@id': school },
      })),
    ],
  }
  return <JsonScript type="application/ld+json" value={data} />
}

import { type Area, areaPath } from '#domain/area.ts'
import type { DegreeType, Program } from '#domain/catalogue/catalogue.ts'
import type { PageContext } from '../shell/document.tsx'

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
 * Describes a page's programs for search engines and AI agents, as data in a script element that no browser runs
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
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without `<`, which could end the script element
      dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
    />
  )
}

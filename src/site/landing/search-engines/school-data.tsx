import { degreeWords } from '#content/degrees.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { JsonLd } from './json-ld.tsx'

interface SchoolDataProps {
  school: string
  siteOrigin: string
  /** The public address of the page that lists the programs. */
  url: string
  /** What the page lists. */
  programs: readonly Program[]
}

/**
 * Who and what the page is about: only what configuration and catalogue say.
 * https://schema.org/EducationalOrganization, https://schema.org/EducationalOccupationalProgram
 */
export function SchoolData({ school, siteOrigin, url, programs }: SchoolDataProps) {
  const organization = { '@type': 'EducationalOrganization', name: school, url: siteOrigin }
  const graph = programs.map(({ name, degreeType }) => ({
    '@type': 'EducationalOccupationalProgram',
    name,
    educationalCredentialAwarded: degreeWords[degreeType].singular,
    provider: organization,
    url,
  }))
  return (
    <>
      <JsonLd of={organization} />
      {graph.length > 0 && <JsonLd of={{ '@graph': graph }} />}
    </>
  )
}

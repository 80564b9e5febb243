import { degreeWords } from '#content/degrees.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'

interface SchoolDataProps {
  school: string
  siteOrigin: string
  /** The public address of the page that lists the programs. */
  url: string
  programs: readonly Program[]
}

/**
 * Facts for search engines about the school and its programs, from the settings and the catalogue. Visitors don't see
 * them. https://schema.org/EducationalOrganization, https://schema.org/EducationalOccupationalProgram
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

function JsonLd({ of: facts }: { of: object }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts })
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which `<` cannot end the element
      dangerouslySetInnerHTML={{ __html: text.replaceAll('<', '\\u003c') }}
    />
  )
}

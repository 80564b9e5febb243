interface SchoolDataProps {
  school: string
  siteOrigin: string
}

/** Who the page is about, for search engines: only what the configuration says. https://schema.org/EducationalOrganization */
export function SchoolData({ school, siteOrigin }: SchoolDataProps) {
  const text = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'EducationalOrganization',
    name: school,
    url: siteOrigin,
  })
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which `<` cannot end the element
      dangerouslySetInnerHTML={{ __html: text.replaceAll('<', '\\u003c') }}
    />
  )
}

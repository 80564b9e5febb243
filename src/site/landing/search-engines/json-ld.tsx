/** Facts for search engines: https://json-ld.org. They show nothing of it. */
export function JsonLd({ of: facts }: { of: object }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts })
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which `<` cannot end the element
      dangerouslySetInnerHTML={{ __html: text.replaceAll('<', '\\u003c') }}
    />
  )
}

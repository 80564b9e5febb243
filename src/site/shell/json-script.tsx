interface JsonScriptProps {
  id?: string
  type: 'application/json' | 'application/ld+json'
  value: unknown
}

/** A script element with data, which no browser runs. An unescaped `<` in a value could end the element. */
export const JsonScript = ({ value, ...attributes }: JsonScriptProps) => (
  <script
    {...attributes}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without `<`
    dangerouslySetInnerHTML={{ __html: JSON.stringify(value).replaceAll('<', '\\u003c') }}
  />
)

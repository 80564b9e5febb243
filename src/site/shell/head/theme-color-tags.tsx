import { neutrals } from '#content/neutral-colors.ts'

/**
 * The color around the page, as browsers on phones have it.
 * @param stage the color that the page begins with in both schemes; without one it begins with its ground
 */
export function ThemeColorTags({ stage }: { stage: string | undefined }) {
  if (stage) return <meta name="theme-color" content={stage} />
  return (
    <>
      <meta
        name="theme-color"
        content={neutrals.light.ground}
        media="(prefers-color-scheme: light)"
      />
      <meta
        name="theme-color"
        content={neutrals.dark.ground}
        media="(prefers-color-scheme: dark)"
      />
    </>
  )
}

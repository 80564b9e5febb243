import type { SiteWords } from '#content/site-words.ts'
import { areas } from '#domain/area.ts'
import type { PageAssets } from './page-assets.ts'

interface Styled {
  readonly assets: PageAssets
  readonly words: SiteWords
}

/** All that a page is styled with: what the build has made, and the operator's colors after it. */
export const stylesOf = ({ assets, words }: Styled): string => assets.styles + colorsCss(words)

/** The areas' colors, by `data-area`: cards have those of the area that they lead to. */
export function colorsCss({ areas: words }: SiteWords): string {
  const light = areas.map((area) => {
    const { accent, stage, tint } = words[area].colors
    return rule(
      area,
      `--accent:${accent};--accent-strong:${stage};--accent-text:${accent};--tint:${tint}`,
    )
  })
  const dark = areas.map((area) => {
    const { darkAccent, darkTint } = words[area].colors
    return rule(area, `--accent-text:${darkAccent};--tint:${darkTint}`)
  })
  return `${light.join('')}@media (prefers-color-scheme:dark){${dark.join('')}}`
}

const rule = (area: string, declarations: string): string =>
  `[data-area="${area}"]{${declarations}}`

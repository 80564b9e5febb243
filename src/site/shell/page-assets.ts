import type { SiteTexts } from '#content/site-texts.ts'
import { type Area, areas } from '#domain/area.ts'
export interface PagePictures {
  /** The path of each area's image for link previews, which appear when a visitor shares the page. */
  readonly socialImages: Readonly<Record<Area, string>>
  readonly photographs: Readonly<Partial<Record<Area, Photograph>>>
}

export interface Photograph {
  readonly width: number
  readonly height: number
  /** All widths of the photograph, as a `srcset`. */
  readonly avif: string
  readonly webp: string
}

/** The size of pictures for link previews, in pixels (https://ogp.me). */
export const socialImageSize = { width: 1200, height: 630 }
export interface PageAssets {
  /** All styles; each page inlines them. */
  readonly styles: string
  /** The path of the display font; without it pages use the visitor's fonts. */
  readonly displayFont?: string
  /** The small script in every page with the form, which loads the form's script. Empty during development. */
  readonly bootstrapScript: string
  readonly formScript: string
  /** Scripts of the development server; empty in a built site. */
  readonly developmentScripts: readonly string[]
  /** The built pictures; undefined during development, when pages have drawings, but no icons and no photographs. */
  readonly pictures?: PagePictures
}

/** The window widths whose first paint may wait for the display font: a slow phone would wait about 100 ms. */
export const displayFontMedia = '(width >= 53.125em)'

/** The display font's CSS. `optional` keeps the fallback font on a painted page, since a swap would move lines. */
export const makeFontCss = (path: string): string =>
  `@font-face{font-family:Display;font-weight:600;font-display:optional;src:url(${path}) format("woff2")}`

export const makePageStyles = (page: { assets: PageAssets; words: SiteTexts }): string =>
  page.assets.styles + makeColorsCss(page.words)

/** The areas' colors, by `data-area`: a card has the colors of the area that it links to. */
export function makeColorsCss({ areas: words }: SiteTexts): string {
  const light = areas.map((area) => {
    const { accent, stage, tint } = words[area].colors
    return formatRule(
      area,
      `--accent:${accent};--accent-strong:${stage};--accent-text:${accent};--tint:${tint}`,
    )
  })
  const dark = areas.map((area) => {
    const { darkAccent, darkTint } = words[area].colors
    return formatRule(area, `--accent-text:${darkAccent};--tint:${darkTint}`)
  })
  return `${light.join('')}@media (prefers-color-scheme:dark){${dark.join('')}}`
}

const formatRule = (area: string, declarations: string): string =>
  `[data-area="${area}"]{${declarations}}`

/** The site's mark, an academic cap, as paths in a 32 by 32 box, for the header and the icons that the build makes. */
export const logoPaths = {
  board: 'M16 4 2 11l14 7 14-7z',
  cap: 'M7 15v7c0 2 4 5 9 5s9-3 9-5v-7l-9 4.5z',
  capOpacity: 0.75,
}

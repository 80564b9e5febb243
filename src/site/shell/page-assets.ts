import type { AreaTexts, SiteTexts } from '#content/site-texts.ts'
import { type Area, areas } from '#domain/area.ts'

export interface PagePictures {
  /** The path of each area's image for link previews, which appear when a visitor shares the page. */
  readonly socialImages: Readonly<Record<Area, string>>
  /** The same with the name that the school had while the site was built. */
  readonly named?: {
    readonly school: string
    readonly socialImages: Readonly<Record<Area, string>>
  }
  readonly photographs: Readonly<Partial<Record<Area, Photograph>>>
}

export interface Photograph {
  readonly width: number
  readonly height: number
  /** All widths of the photograph, as a `srcset`. */
  readonly avif: string
  readonly webp: string
}

/** The images for link previews: with the school's name, unless the site was built with another name. */
export const pickSocialImages = (
  { socialImages, named }: PagePictures,
  school: string,
): Readonly<Record<Area, string>> => (named?.school === school ? named.socialImages : socialImages)

/** The size of pictures for link previews, in pixels (https://ogp.me). */
export const socialImageSize = { width: 1200, height: 630 }

export interface PageAssets {
  /** All styles of the site, which each page contains. */
  readonly styles: string
  /** The path of the display font; without it, pages use fonts of the visitor's system. */
  readonly displayFont?: string
  /** The small script that each page with the form contains. In a built site, this script loads the form's script. */
  readonly bootstrapScript: string
  readonly formScript: string
  /** Scripts of the development server; empty in a built site. */
  readonly developmentScripts: readonly string[]
  /** The built pictures; undefined during development, when pages have drawings, but no icons and no photographs. */
  readonly pictures?: PagePictures
}

/**
 * The windows that wait for the display font before the first paint of a page with the form. A slow phone would have to
 * wait about 100 ms, so its script loads the font later.
 */
export const displayFontMedia = '(width >= 53.125em)'

/** With `optional`, a page keeps the fallback font once it is painted, because a later font would move lines. */
export const makeFontCss = (path: string): string =>
  `@font-face{font-family:Display;font-weight:600;font-display:optional;src:url(${path}) format("woff2")}`

export const makePageStyles = (page: { assets: PageAssets; texts: SiteTexts }): string =>
  page.assets.styles + makeColorsCss(page.texts)

/**
 * Declares each area's colors by `data-area`, because a card has the colors of the area that it links to, and the focus
 * of its photograph.
 */
export function makeColorsCss({ areas: texts }: SiteTexts): string {
  const makeRules = (declare: (area: AreaTexts) => string) =>
    areas.map((area) => `[data-area="${area}"]{${declare(texts[area])}}`).join('')
  const light = makeRules(
    ({ colors: { accent, stage, tint }, pictureFocus }) =>
      `--accent:${accent};--accent-strong:${stage};--accent-text:${accent};--tint:${tint}${declareFocus(pictureFocus)}`,
  )
  const dark = makeRules(
    ({ colors: { darkAccent, darkTint } }) => `--accent-text:${darkAccent};--tint:${darkTint}`,
  )
  return `${light}@media (prefers-color-scheme:dark){${dark}}`
}

function declareFocus(focus: string | undefined): string {
  const [x, y] = focus?.split(' ') ?? []
  return x && y ? `;--focus-x:${x};--focus-y:${y}` : ''
}

/** The paths of the site's mark, an academic cap, in a 32 by 32 box. The header and the built icons show the mark. */
export const logoSvgPaths = {
  board: 'M16 4 2 11l14 7 14-7z',
  cap: 'M7 15v7c0 2 4 5 9 5s9-3 9-5v-7l-9 4.5z',
  capOpacity: 0.75,
}

/**
 * The display face. `optional`: a page that was painted without it stays as it is, as a swap would move the lines; it is
 * in the browser's cache from the next page on.
 * @param path where the built font lies
 */
export const displayFontCss = (path: string): string =>
  `@font-face{font-family:Display;font-weight:600;font-display:optional;src:url(${path}) format("woff2")}`

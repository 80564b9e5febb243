import type { Area } from '#domain/area.ts'

/** What a browser paints around the page: `--ground` of tokens.css, which no script and no manifest can read. */
export const themeColors = { light: '#f7f8fa', dark: '#11161f' }

/** The same around a page that begins with the stage, in both schemes: `--accent-strong` of the area. */
export const stageColors: Record<Area, string> = {
  general: '#163d70',
  business: '#0a4441',
  education: '#692d0c',
  healthcare: '#6b1a41',
  technology: '#37287a',
}

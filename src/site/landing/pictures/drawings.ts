import { type Area, areaRows, areas } from '#domain/area.ts'

const files = import.meta.glob<string>('./*.svg', { query: '?raw', import: 'default', eager: true })

/** Each area's drawing as SVG, in the colors of drawing-colors.css. */
export const drawings = Object.fromEntries(
  areas.map((area) => [area, tidy(drawingOf(area))]),
) as Record<Area, string>

function drawingOf(area: Area): string {
  const { drawing } = areaRows[area]
  const svg = files[`./${drawing}.svg`]
  if (svg === undefined) throw new Error(`${area} has no drawing: there is no ${drawing}.svg`)
  return svg
}

/** Removes comments and line breaks. On phones the drawing fills a slim band, with its top and bottom cut off. */
function tidy(svg: string): string {
  return svg
    .replace('<svg ', '<svg preserveAspectRatio="xMidYMid slice" ')
    .replaceAll(/<!--[^<]*?-->/g, '')
    .replaceAll(/>\s+</g, '><')
    .trim()
}

import { type Area, areaDefinitions, areas } from '#domain/area.ts'

const files = import.meta.glob<string>('./*.svg', { query: '?raw', import: 'default', eager: true })

/** Each area's drawing as SVG, in the colors of drawing-colors.css. */
export const drawings = Object.fromEntries(
  areas.map((area) => [area, minifySvg(readDrawing(area))]),
) as Record<Area, string>

function readDrawing(area: Area): string {
  const { drawing } = areaDefinitions[area]
  const svg = files[`./${drawing}.svg`]
  if (svg === undefined) throw new Error(`${area} has no drawing: ${drawing}.svg is missing`)
  return svg
}

/** Removes comments and line breaks. `slice` cuts off top and bottom where the drawing fills a slim band. */
function minifySvg(svg: string): string {
  return svg
    .replace('<svg ', '<svg preserveAspectRatio="xMidYMid slice" ')
    .replaceAll(/<!--[^<]*?-->/g, '')
    .replaceAll(/>\s+</g, '><')
    .trim()
}

import type { Area } from '#domain/area.ts'
import business from './business.svg?raw'
import education from './education.svg?raw'
import general from './general.svg?raw'
import healthcare from './healthcare.svg?raw'
import technology from './technology.svg?raw'

/**
 * Comments and line breaks serve those who draw; visitors would wait for them. Where the place is a slim band, as on
 * phones, the drawing fills it and is cut above and below.
 */
const tidy = (svg: string): string =>
  svg
    .replace('<svg ', '<svg preserveAspectRatio="xMidYMid slice" ')
    .replaceAll(/<!--[^<]*?-->/g, '')
    .replaceAll(/>\s+</g, '><')
    .trim()

/** Each area's drawing as SVG. Its colors are those of drawing-colors.css. */
export const drawings: Record<Area, string> = {
  general: tidy(general),
  business: tidy(business),
  education: tidy(education),
  healthcare: tidy(healthcare),
  technology: tidy(technology),
}

import { type Area, areaDefinitions, areas } from '#domain/area.ts'
import type { Photograph } from '../shell/page-assets.ts'
import styles from './landing-page.module.css'

/** The width from which landing-page.module.css shows the picture as a column, and not as a slim band. */
const columnFrom = '(min-width:53.125em)'

/** The width of the hero's column in landing-page.module.css: the page without gutters, gap and the form's column. */
const sizes =
  '(min-width:1500px) 884px,(min-width:71.875em) calc(100vw - 616px),(min-width:62.5em) calc(92vw - 480px),calc(92vw - 416px)'

interface HeroPictureProps {
  area: Area
  alt: string
  photograph: Photograph | undefined
}

/** The slim band shows a photograph's smallest version, because a phone would load a sharper one before the form. */
export function HeroPicture({ area, alt, photograph }: HeroPictureProps) {
  if (!photograph) {
    return (
      <div
        className={styles.scene}
        role="img"
        aria-label={alt}
        data-drawing
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawings are our own files
        dangerouslySetInnerHTML={{ __html: drawings[area] }}
      />
    )
  }
  const { avif, webp, width, height } = photograph
  return (
    <picture className={styles.scene}>
      <source media={columnFrom} type="image/avif" srcSet={avif} sizes={sizes} />
      <source media={columnFrom} type="image/webp" srcSet={webp} sizes={sizes} />
      <source type="image/avif" srcSet={pickSmallest(avif)} />
      <img src={pickSmallest(webp)} alt={alt} width={width} height={height} decoding="async" />
    </picture>
  )
}

const pickSmallest = (versions: string): string => versions.split(' ', 1)[0] ?? ''

const files = import.meta.glob<string>('./pictures/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Each area's drawing as SVG, in the colors `--s-…` of tokens.css. */
export const drawings = Object.fromEntries(
  areas.map((area) => [area, minifySvg(readDrawing(area))]),
) as Record<Area, string>

function readDrawing(area: Area): string {
  const { drawing } = areaDefinitions[area]
  const svg = files[`./pictures/${drawing}.svg`]
  if (svg === undefined) throw new Error(`${area} has no drawing: ${drawing}.svg is missing`)
  return svg
}

/** Removes comments and line breaks. */
function minifySvg(svg: string): string {
  return svg
    .replaceAll(/<!--[^<]*?-->/g, '')
    .replaceAll(/>\s+</g, '><')
    .trim()
}

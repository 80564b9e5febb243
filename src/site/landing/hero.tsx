import { type Area, areaDefinitions, areas } from '#domain/area.ts'
import type { Photograph } from '../shell/page-assets.ts'
import styles from './landing-page.module.css'

/** From this width on, landing-page.module.css shows a photograph as more than a slim band. */
const wideFrom = '(min-width:31.25em)'

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
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawings are our own files
        dangerouslySetInnerHTML={{ __html: drawings[area] }}
      />
    )
  }
  const { avif, webp, width, height } = photograph
  return (
    <picture className={styles.photograph}>
      <source media={wideFrom} type="image/avif" srcSet={avif} sizes="100vw" />
      <source media={wideFrom} type="image/webp" srcSet={webp} sizes="100vw" />
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

function minifySvg(svg: string): string {
  return svg
    .replaceAll(/<!--[^<]*?-->/g, '')
    .replaceAll(/>\s+</g, '><')
    .trim()
}

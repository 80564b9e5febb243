import type { Area } from '#domain/area.ts'
import type { Photograph } from '../../shell/head/page-pictures.ts'
import { HeroPhotograph } from './hero-photograph.tsx'
import { drawings } from './pictures/drawings.ts'

interface HeroPictureProps {
  area: Area
  alt: string
  /** The operator's own, which stands in for our drawing. */
  photograph: Photograph | undefined
}

export function HeroPicture({ area, alt, photograph }: HeroPictureProps) {
  if (photograph) return <HeroPhotograph photograph={photograph} alt={alt} />
  return (
    <div
      role="img"
      aria-label={alt}
      data-drawing
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own files
      dangerouslySetInnerHTML={{ __html: drawings[area] }}
    />
  )
}

import type { Area } from '#domain/area.ts'

/** The pictures that the build has made. */
export interface PagePictures {
  /** Where the image lies that stands beside a link to an area's page, when someone shares it. */
  readonly socialImages: Readonly<Record<Area, string>>
  /** The operator's photographs (site-pictures/README.md). */
  readonly photographs: Readonly<Partial<Record<Area, Photograph>>>
}

export interface Photograph {
  /** Of the largest version, in pixels. */
  readonly width: number
  readonly height: number
  /** Every width of it, as a `srcset`. */
  readonly avif: string
  readonly webp: string
}

/** What sites that show links ask for, in pixels: https://ogp.me, and large cards elsewhere. */
export const socialImageSize = { width: 1200, height: 630 }

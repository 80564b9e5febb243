import type { Photograph } from '../shell/page-pictures.ts'

/** Below this width landing-page.module.css shows no picture, so none is fetched. */
const shownFrom = '(min-width:850px)'

/** How wide the hero's column is: landing-page.module.css, with its gutters, gaps and the form's column taken off. */
const sizes =
  '(min-width:1500px) 884px,(min-width:1150px) calc(100vw - 616px),(min-width:1000px) calc(92vw - 480px),calc(92vw - 416px)'

/** One pixel, for phones. */
const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

interface HeroPhotographProps {
  photograph: Photograph
  alt: string
}

export function HeroPhotograph({ photograph, alt }: HeroPhotographProps) {
  const { avif, webp, width, height } = photograph
  return (
    <picture>
      <source media={shownFrom} type="image/avif" srcSet={avif} sizes={sizes} />
      <source media={shownFrom} type="image/webp" srcSet={webp} sizes={sizes} />
      <img src={nothing} alt={alt} width={width} height={height} decoding="async" />
    </picture>
  )
}

import type { Photograph } from '../../shell/head/page-pictures.ts'

/** From this width on landing-page.module.css shows the picture as a column; below it, as a slim band. */
const columnFrom = '(min-width:53.125em)'

/** How wide the hero's column is: landing-page.module.css, with its gutters, gaps and the form's column taken off. */
const sizes =
  '(min-width:1500px) 884px,(min-width:71.875em) calc(100vw - 616px),(min-width:62.5em) calc(92vw - 480px),calc(92vw - 416px)'

interface HeroPhotographProps {
  photograph: Photograph
  alt: string
}

/** For a band the smallest version does: sharper ones would be fetched on a phone's line before the form's script. */
export function HeroPhotograph({ photograph, alt }: HeroPhotographProps) {
  const { avif, webp, width, height } = photograph
  return (
    <picture>
      <source media={columnFrom} type="image/avif" srcSet={avif} sizes={sizes} />
      <source media={columnFrom} type="image/webp" srcSet={webp} sizes={sizes} />
      <source type="image/avif" srcSet={smallest(avif)} />
      <img src={smallest(webp)} alt={alt} width={width} height={height} decoding="async" />
    </picture>
  )
}

/** The address of a `srcset`'s first version. */
const smallest = (versions: string): string => versions.split(' ', 1)[0] ?? ''

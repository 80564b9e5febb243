import type { AreaWords } from '#content/site-words.ts'
import { socialImageSize } from './page-pictures.ts'

interface SharingTagsProps {
  title: string
  description: string
  /** The page's public address. */
  url: string
  school: string
  words: Pick<AreaWords, 'headline' | 'picture'>
  /** The image's public address; undefined while developing. */
  image: string | undefined
}

/** What a shared link shows: https://ogp.me, and X's own card, which takes the rest from there. */
export function SharingTags({ title, description, url, school, words, image }: SharingTagsProps) {
  const { headline, picture } = words
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={school} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {image !== undefined && (
        <>
          <meta property="og:image" content={image} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(socialImageSize.width)} />
          <meta property="og:image:height" content={String(socialImageSize.height)} />
          <meta property="og:image:alt" content={`${headline}. ${picture}`} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  )
}

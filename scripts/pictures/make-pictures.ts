import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteTexts } from '#content/site-texts.ts'
import type { PagePictures } from '#site/shell/page-assets.ts'
import { readTokens } from './drawing-colors.ts'
import { makeIcons } from './icons.ts'
import { makePhotographs } from './photographs.ts'
import { makeSocialImages } from './social-images.ts'

interface Places {
  readonly root: string
  /** The operator's texts and colors: social images show headlines, and all pictures use the colors. */
  readonly texts: SiteTexts
  readonly photographFolder: string
  readonly clientFolder: string
  /** The school's name as the build's environment has it, for a second set of social images. */
  readonly school?: string
}

/** Makes every raster picture, and `pictures.json`, which lists them for the server. */
export async function makePictures(places: Places) {
  const { root, texts, photographFolder, clientFolder, school } = places
  await Promise.all(
    ['icons', 'pictures', 'social'].map((name) =>
      mkdir(join(clientFolder, name), { recursive: true }),
    ),
  )
  const tokens = await readTokens(root, texts)
  const socialFolder = join(clientFolder, 'social')
  const [photographs, socialImages, withName] = await Promise.all([
    makePhotographs(photographFolder, join(clientFolder, 'pictures')),
    makeSocialImages({ root, texts, tokens }, socialFolder),
    school && makeSocialImages({ root, texts, tokens, school }, socialFolder),
    makeIcons(texts, join(clientFolder, 'icons')),
  ])
  const made: PagePictures = {
    socialImages,
    ...(school && withName && { named: { school, socialImages: withName } }),
    photographs,
  }
  await writeFile(join(clientFolder, 'pictures.json'), JSON.stringify(made))
}

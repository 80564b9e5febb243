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
}

/** Makes every raster picture, and `pictures.json`, which lists them for the server. */
export async function makePictures({ root, texts, photographFolder, clientFolder }: Places) {
  await Promise.all(
    ['icons', 'pictures', 'social'].map((name) =>
      mkdir(join(clientFolder, name), { recursive: true }),
    ),
  )
  const tokens = await readTokens(root, texts)
  const [photographs, socialImages] = await Promise.all([
    makePhotographs(photographFolder, join(clientFolder, 'pictures')),
    makeSocialImages({ root, texts, tokens }, join(clientFolder, 'social')),
    makeIcons(texts, join(clientFolder, 'icons')),
  ])
  const made: PagePictures = { socialImages, photographs }
  await writeFile(join(clientFolder, 'pictures.json'), JSON.stringify(made))
}

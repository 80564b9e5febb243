import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { SiteWords } from '#content/site-words.ts'
import { type Area, areaRows, areas } from '#domain/area.ts'
import { socialImageSize } from '#site/shell/head/page-pictures.ts'
import { colorOf, type Tokens, withColors } from './drawing-colors.ts'
import { hashedName } from './hashed-name.ts'
import { capPaths } from './icons.ts'

const font = '@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf'

const { width, height } = socialImageSize
/** The words stand on the left, the middle of the drawing on the right. */
const wordsWidth = 572
const margin = 64

/**
 * Draws each area's social image. Without the school's name: that is configuration, and the build knows none.
 * @returns the path of each on the site
 */
export async function makeSocialImages(
  root: string,
  words: SiteWords,
  tokens: Tokens,
  folder: string,
): Promise<Record<Area, string>> {
  // Without a configuration of its own fontconfig searches the whole machine (1.6 s) or complains that it cannot.
  process.env.FONTCONFIG_FILE = join(root, 'scripts/pictures/fonts.conf')
  const made = await Promise.all(
    areas.map(async (area) => {
      const png = await socialImage(root, words, tokens, area)
      const name = hashedName(area, 'png', png)
      await writeFile(join(folder, name), png)
      return [area, `/social/${name}`]
    }),
  )
  return Object.fromEntries(made)
}

async function socialImage(
  root: string,
  siteWords: SiteWords,
  tokens: Tokens,
  area: Area,
): Promise<Uint8Array> {
  const color = (name: string) => colorOf(tokens, area, name)
  const drawing = withColors(
    tokens,
    area,
    await readFile(
      join(root, 'src/site/landing/pictures', `${areaRows[area].drawing}.svg`),
      'utf8',
    ),
  )
  const placed = `<svg x="${wordsWidth}" width="${width - wordsWidth}" height="${height}" preserveAspectRatio="xMidYMid slice"`
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${color('ground')}"/>
    ${drawing.replace('<svg', placed)}
    <g fill="${color('accent')}">
      <g transform="translate(${margin - 6} ${margin - 16}) scale(3)">${capPaths}</g>
      <rect x="${margin}" y="${height - margin - 8}" width="96" height="8"/>
    </g>
  </svg>`
  const { data: words, info } = await headline(root, siteWords.areas[area].headline, color('ink'))
  const top = Math.round((height - info.height) / 2) + 20
  return await sharp(Buffer.from(ground))
    .composite([{ input: words, left: margin, top }])
    .png({ palette: true, colours: 128, dither: 0, compressionLevel: 9 })
    .toBuffer()
}

/** Set in as few lines as fit, and then as narrow as these lines allow, so that no word stands alone in the last. */
async function headline(root: string, text: string, color: string) {
  const widest = wordsWidth - margin - 40
  const [first, ...narrower] = await Promise.all(
    [1, 0.93, 0.86, 0.8, 0.74].map((share) =>
      sharp({
        text: {
          text: `<span foreground="${color}">${inMarkup(text)}</span>`,
          font: 'Source Serif 4 SemiBold 56',
          fontfile: join(root, 'node_modules', font),
          width: Math.round(widest * share),
          // One pixel a point.
          dpi: 72,
          rgba: true,
        },
      })
        .png()
        .toBuffer({ resolveWithObject: true }),
    ),
  )
  if (first === undefined) throw new Error('no headline')
  // A line more is 70 pixels; which letters the last line has changes the height by less.
  const fits = narrower.filter(
    ({ info }) => info.height < first.info.height + 35 && info.width <= widest,
  )
  return fits.at(-1) ?? first
}

/** As Pango's markup takes a text. */
const inMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

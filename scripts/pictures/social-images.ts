import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { SiteTexts } from '#content/site-texts.ts'
import { type Area, areaDefinitions, areas } from '#domain/area.ts'
import { socialImageSize } from '#site/shell/page-assets.ts'
import { joinHeadings, subsetDisplayFont } from '../fonts/subset-display-font.ts'
import { findColor, type Tokens, withColors } from './drawing-colors.ts'
import { capPaths, drawLogoTile } from './icons.ts'
import { hashedName } from './photographs.ts'

const { width, height } = socialImageSize
const margin = 72
/** The scene takes as much of the picture as of a page's stage. */
const sceneHeight = Math.round(height * 0.58)
const widestHeadline = width - 2 * margin
/** The headline must fit between the mark above it and the ridges below. */
const highestHeadline = 230

interface Parts {
  readonly root: string
  readonly texts: SiteTexts
  readonly tokens: Tokens
  /** The name beside the mark; without it, only a logo names the school. */
  readonly school?: string
}

/**
 * Draws each area's social image.
 * @returns the path of each image on the site
 */
export async function makeSocialImages(
  parts: Parts,
  folder: string,
): Promise<Record<Area, string>> {
  const { root, texts, school = '' } = parts
  // Without a settings file, fontconfig searches the whole machine for fonts (1.6 s) or prints a warning.
  process.env.FONTCONFIG_FILE = join(root, 'scripts/pictures/fonts.conf')
  const font = await writeFontFile(root, joinHeadings(texts) + school)
  const made = await Promise.all(
    areas.map(async (area) => {
      const png = await drawSocialImage(parts, font, area)
      const name = hashedName(area, 'png', png)
      await writeFile(join(folder, name), png)
      return [area, `/social/${name}`]
    }),
  )
  return Object.fromEntries(made)
}

/**
 * Writes the display font into a permanent file: the renderer keeps its path as long as the process runs. It maps the
 * file into memory, so a file that is written again meanwhile, as by the other set of images, would end the process with
 * SIGBUS; a renamed file replaces the mapped one instead.
 */
async function writeFontFile(root: string, text: string): Promise<string> {
  const font = await subsetDisplayFont(root, { format: 'truetype', text })
  const folder = join(root, 'node_modules/.cache/display-font')
  await mkdir(folder, { recursive: true })
  const path = join(folder, hashedName('display', 'ttf', font))
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, font)
  await rename(unfinished, path)
  return path
}

async function drawSocialImage(
  { root, texts, tokens, school }: Parts,
  font: string,
  area: Area,
): Promise<Uint8Array> {
  const color = (name: string) => findColor(tokens, area, name)
  const svg = join(root, 'src/site/landing/pictures', `${areaDefinitions[area].drawing}.svg`)
  const scene = withColors(tokens, area, await readFile(svg, 'utf8'))
  const placed = `<svg y="${height - sceneHeight}" width="${width}" height="${sceneHeight}" `
  const mark = texts.shared.logo
    ? ''
    : `<g fill="#fff" transform="translate(${margin - 6} ${margin - 24}) scale(3)">${capPaths}</g>`
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${color('s-top')}"/>
    ${scene.replace('<svg ', placed)}
    ${mark}
  </svg>`
  const { data, info } = await drawHeadline(font, texts.areas[area].headline)
  const top = 160 + Math.round((highestHeadline - info.height) / 2)
  const logo =
    texts.shared.logo && (await drawLogoTile(texts.shared.logo, { width: 300, height: 96 }))
  const name = school && !texts.shared.logo?.hasName && (await drawName(font, school))
  const nameLeft = margin + (logo ? ((await sharp(logo).metadata()).width ?? 0) : 84) + 24
  return await sharp(Buffer.from(ground))
    .composite([
      { input: data, left: margin, top },
      ...(logo ? [{ input: logo, left: margin, top: margin - 16 }] : []),
      ...(name
        ? [{ input: name.data, left: nameLeft, top: 96 - Math.round(name.info.height / 2) }]
        : []),
    ])
    .png({ palette: true, colours: 256, dither: 0, compressionLevel: 9 })
    .toBuffer()
}

/** Draws the school's name in one line, which leaves room for the widest logo. */
const drawName = (font: string, name: string) =>
  sharp({
    text: {
      text: `<span foreground="#fff">${escapeMarkup(name)}</span>`,
      font: 'Source Serif 4',
      fontfile: font,
      width: 700,
      height: 42,
      wrap: 'none',
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })

/** Draws the headline as large as the space allows. If even the smallest size is too large, long words are broken. */
async function drawHeadline(font: string, text: string) {
  for (const points of [84, 72, 60, 48]) {
    const { data, info } = await drawHeadlineAt(points, font, text, 'word')
    if (info.width <= widestHeadline && info.height <= highestHeadline) return { data, info }
  }
  return await drawHeadlineAt(48, font, text, 'word-char')
}

/**
 * Breaks the headline into as few lines as fit, and then makes it as narrow as these lines allow, so that the last line
 * has more than one word.
 */
async function drawHeadlineAt(
  points: number,
  font: string,
  text: string,
  wrap: 'word' | 'word-char',
) {
  const [first, ...narrower] = await Promise.all(
    [1, 0.93, 0.86, 0.8, 0.74].map((share) =>
      sharp({
        text: {
          text: `<span foreground="#fff" letter_spacing="-1024" line_height="0.92">${escapeMarkup(text)}</span>`,
          font: `Source Serif 4 ${points}`,
          fontfile: font,
          width: Math.round(widestHeadline * share),
          wrap,
          // At 72 dpi, one pixel is one point.
          dpi: 72,
          rgba: true,
        },
      })
        .png()
        .toBuffer({ resolveWithObject: true }),
    ),
  )
  if (first === undefined) throw new Error('no headline')
  // Another line would add 70 pixels at 62 points. The letters of the last line change the height by less.
  const fits = narrower.filter(
    ({ info }) => info.height < first.info.height + points * 0.56 && info.width <= widestHeadline,
  )
  return fits.at(-1) ?? first
}

/** Escapes text for Pango's markup. */
const escapeMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Logo, SiteTexts } from '#content/site-texts.ts'
import { logoSvgPaths } from '#site/shell/page-assets.ts'

const { board, cap, capOpacity } = logoSvgPaths
export const capPaths = `<path d="${board}"/><path d="${cap}" opacity="${capOpacity}"/>`

/**
 * Makes the icons that every page names. They show the operator's logo if it is about as wide as
 * it is high, because a wordmark would be unreadable. Otherwise they show the product's mark in the color of the
 * general area.
 */
export async function makeIcons({ areas, shared: { logo } }: SiteTexts, folder: string) {
  const { accent, darkAccent } = areas.general.colors
  const own = logo && logo.width <= logo.height * 1.5 ? logo : undefined
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(join(folder, name), content)
  const png = (size: number, tile: Tile) =>
    own ? drawLogoIcon(own, size, tile) : drawMarkIcon(accent, size, tile)

  await Promise.all([
    write(
      'favicon.svg',
      own
        ? `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#fff"/><image x="3" y="3" width="26" height="26" href="${own.src.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"/></svg>`
        : `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="${accent}"><style>@media(prefers-color-scheme:dark){svg{fill:${darkAccent}}}</style>${capPaths}</svg>`,
    ),
    // favicon.ico contains a PNG, which browsers recognize by its content.
    png(32, { radius: 6, markShare: 0.84 }).then((icon) => write('favicon.ico', icon)),
    // iOS rounds an icon's corners itself, and paints transparent corners black.
    png(180, { radius: 0, markShare: 0.68 }).then((icon) => write('apple-touch-icon.png', icon)),
  ])
}

const drawMarkIcon = (accent: string, size: number, tile: Tile): Promise<Uint8Array> =>
  sharp(Buffer.from(drawTile(accent, size, tile, drawMark(size, tile))))
    .png({ compressionLevel: 9 })
    .toBuffer()

async function drawLogoIcon(logo: Logo, size: number, tile: Tile): Promise<Uint8Array> {
  const side = Math.round(size * tile.markShare)
  const input = await scaleLogo(logo, { width: side, height: side })
  return sharp(Buffer.from(drawTile('#fff', size, tile, '')))
    .composite([{ input }])
    .png({ compressionLevel: 9 })
    .toBuffer()
}

interface Tile {
  /** The radius of the corners, in pixels. */
  readonly radius: number
  /** The mark's width, as a share of the tile's width. */
  readonly markShare: number
}

const drawTile = (color: string, size: number, { radius }: Tile, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" rx="${radius}" fill="${color}"/>${inside}</svg>`

/** Draws the white mark in the middle of its tile. */
function drawMark(size: number, { markShare }: Tile): string {
  const scale = (size * markShare) / 32
  const offset = (size * (1 - markShare)) / 2
  return `<g fill="#fff" transform="translate(${offset} ${offset}) scale(${scale})">${capPaths}</g>`
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Draws the operator's logo on white, as in the header, as large as the space allows with a margin. */
export async function drawLogoTile(logo: Logo, size: Size): Promise<Buffer> {
  const picture = await scaleLogo(logo, { width: size.width - 24, height: size.height - 24 })
  return sharp(picture)
    .extend({ top: 12, bottom: 12, left: 12, right: 12, background: '#fff' })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
}

/** Scales the logo to fit into the space, whatever its original size. */
async function scaleLogo(logo: Logo, size: Size): Promise<Buffer> {
  const scale = Math.min(size.width / logo.width, size.height / logo.height)
  // A vector logo is rendered at the final size, because enlarging it would blur it.
  const density = Math.min(72 * Math.max(scale, 1), 2400)
  return sharp(decodeLogo(logo), { density })
    .resize({ ...size, fit: 'inside' })
    .png()
    .toBuffer()
}

function decodeLogo({ src }: Logo): Buffer {
  const [head = '', data = ''] = src.split(/,(.*)/s)
  return head.endsWith(';base64')
    ? Buffer.from(data, 'base64')
    : Buffer.from(decodeURIComponent(data))
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { SiteWords } from '#content/site-words.ts'
import { capMark } from '#site/shell/cap-mark.ts'
import { icoOf } from './ico.ts'

const { board, cap, capOpacity } = capMark
export const capPaths = `<path d="${board}"/><path d="${cap}" opacity="${capOpacity}"/>`

/** Makes the icons that icon-links.tsx and web-manifest.ts name, in the color of the general area. */
export async function makeIcons({ areas }: SiteWords, folder: string) {
  const { accent, darkAccent } = areas.general.colors
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(join(folder, name), content)
  const png = (size: number, { radius, markShare }: Tile) =>
    sharp(Buffer.from(tile(accent, size, { radius, markShare })))
      .png({ compressionLevel: 9 })
      .toBuffer()

  await Promise.all([
    write(
      'favicon.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="${accent}"><style>@media(prefers-color-scheme:dark){svg{fill:${darkAccent}}}</style>${capPaths}</svg>`,
    ),
    png(32, { radius: 6, markShare: 0.84 }).then((icon) => write('favicon.ico', icoOf(icon, 32))),
    ...Object.entries(pngIcons).map(async ([name, { size, ...tile }]) =>
      write(name, await png(size, tile)),
    ),
  ])
}

interface Tile {
  /** Of the corners, in pixels. */
  readonly radius: number
  /** The mark's width, as a share of the tile's. */
  readonly markShare: number
}

const pngIcons = {
  'icon-192.png': { size: 192, radius: 40, markShare: 0.72 },
  // Its system rounds the corners, and paints clear ones black.
  'apple-touch-icon.png': { size: 180, radius: 0, markShare: 0.68 },
  // A system may cut it to any shape that holds a circle of 80 %: https://w3c.github.io/manifest/#icon-masks
  'icon-512-maskable.png': { size: 512, radius: 0, markShare: 0.56 },
}

/** The mark, white on a tile of the accent. */
function tile(accent: string, size: number, { radius, markShare }: Tile): string {
  const scale = (size * markShare) / 32
  const offset = (size * (1 - markShare)) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" rx="${radius}" fill="${accent}"/><g fill="#fff" transform="translate(${offset} ${offset}) scale(${scale})">${capPaths}</g></svg>`
}

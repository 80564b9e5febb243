import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { type Area, areas } from '#domain/area.ts'
import { findPhotographArea } from '#server/content/find-stray-files.ts'
import type { Photograph } from '#site/shell/page-assets.ts'

/** Widths in pixels, from a small laptop's column to a large high-density screen's. */
const widths = [480, 800, 1200, 1600]

/**
 * AVIF with effort 3 takes a fifth of the time of the default 4, for 5 % more bytes (at 1600 pixels: 0.6 s instead of
 * 3.0 s).
 */
const encoding = { avif: { quality: 55, effort: 3 }, webp: { quality: 76 } }

/** A fault of the operator's photographs, with a message that names the file and the repair. */
export class PhotographError extends Error {}

/**
 * Finds the operator's photographs by area: see site-pictures/README.md.
 * @throws PhotographError with a message that names the file, if it is not a picture or belongs to no area
 */
export async function findPhotographs(from: string): Promise<ReadonlyMap<Area, string>> {
  const found = new Map<Area, string>()
  const names = existsSync(from) ? await readdir(from) : []
  for (const name of names.sort()) {
    if (name.startsWith('.') || name === 'README.md') continue
    const file = `${basename(from)}/${name}`
    const area = findPhotographArea(name)
    if (area === undefined) {
      throw new PhotographError(
        `${file} belongs to no area: name it ${areas.join(', ')} with .jpg, .png, .webp or .avif`,
      )
    }
    const other = found.get(area)
    if (other)
      throw new PhotographError(`${file}: there is ${other} for the same area; keep one of them`)
    found.set(area, name)
    await sharp(join(from, name)).metadata().catch(rejectUnreadable(file))
  }
  return found
}

const rejectUnreadable = (file: string) => (error: Error) => {
  throw new PhotographError(`${file} cannot be read as a picture: ${error.message}`)
}

/**
 * Converts the photographs for the web.
 * @throws PhotographError as {@link findPhotographs} does
 */
export async function makePhotographs(
  from: string,
  to: string,
): Promise<Partial<Record<Area, Photograph>>> {
  const found = await findPhotographs(from)
  const made = await Promise.all(
    [...found].map(async ([area, name]) => {
      const file = `${basename(from)}/${name}`
      const photograph = await makePhotograph(area, join(from, name), to).catch(
        rejectUnreadable(file),
      )
      return [area, photograph] as const
    }),
  )
  return Object.fromEntries(made)
}

async function makePhotograph(area: Area, file: string, to: string): Promise<Photograph> {
  const { autoOrient } = await sharp(file).metadata()
  const wanted = [...new Set(widths.map((width) => Math.min(width, autoOrient.width)))]
  const [avif, webp] = await Promise.all(
    (['avif', 'webp'] as const).map((format) =>
      Promise.all(
        wanted.map(async (width) => {
          // Sharp removes the camera's metadata: time, place, lens.
          const { data, info } = await sharp(file)
            .autoOrient()
            .resize({ width })
            .toFormat(format, encoding[format])
            .toBuffer({ resolveWithObject: true })
          const name = hashedName(`${area}-${width}`, format, data)
          await writeFile(join(to, name), data)
          return { entry: `/pictures/${name} ${width}w`, width, height: info.height }
        }),
      ),
    ),
  )
  const largest = webp?.at(-1)
  return {
    width: largest?.width ?? 0,
    height: largest?.height ?? 0,
    avif: (avif ?? []).map(({ entry }) => entry).join(),
    webp: (webp ?? []).map(({ entry }) => entry).join(),
  }
}

/** A file name that changes with the content, so that a browser may keep the file forever. */
export function hashedName(name: string, extension: string, content: Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return `${name}-${hash}.${extension}`
}

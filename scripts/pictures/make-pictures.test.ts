import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp, { type Region } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { areas } from '#domain/area.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { makePictures } from './make-pictures.ts'

const root = resolve(import.meta.dirname, '../..')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  await makePictures({
    root,
    texts: shippedTexts(),
    photographFolder: join(folder, 'none'),
    clientFolder: folder,
    school: 'Zoë & Ñandú University',
  })
})
afterAll(() => rm(folder, { recursive: true }))

const made = (path: string) => join(folder, path)
const socialImages = async (): Promise<Record<string, string>> =>
  JSON.parse(await readFile(made('pictures.json'), 'utf8')).socialImages

/** Cuts the region into an image of its own, because sharp's statistics ignore `extract`. */
const statsOf = async (path: string, part: Region) =>
  sharp(await sharp(path).extract(part).toColorspace('srgb').removeAlpha().png().toBuffer()).stats()

test.each(areas)('the social image of %s has the recommended size, and text', async (area) => {
  const path = (await socialImages())[area] ?? ''
  expect(path).toMatch(new RegExp(`^/social/${area}-[\\da-f]{8}\\.png$`))
  const { width, height, format, size = 0 } = await sharp(await readFile(made(path))).metadata()
  expect([width, height, format]).toEqual([1200, 630, 'png'])
  // Social networks ignore images of more than a few hundred KB.
  expect(size).toBeLessThan(100_000)
  // Behind the headline there must be white text on the stage's color, not one plain color.
  const { channels } = await statsOf(made(path), { left: 64, top: 260, width: 400, height: 160 })
  expect(Math.min(...channels.map(({ min }) => min))).toBeLessThan(60)
  expect(Math.min(...channels.map(({ max }) => max))).toBeGreaterThan(240)
})

test('every area has an image of its own', async () => {
  expect(new Set(Object.values(await socialImages())).size).toBe(areas.length)
})

test('a second image of each area names the school beside the mark', async () => {
  const { socialImages, named } = JSON.parse(await readFile(made('pictures.json'), 'utf8'))
  expect(named.school).toBe('Zoë & Ñandú University')
  for (const area of areas) {
    const brightest = async (path: string) => {
      const { channels } = await statsOf(made(path), { left: 180, top: 60, width: 400, height: 70 })
      return Math.min(...channels.map(({ max }) => max))
    }
    expect(await brightest(named.socialImages[area])).toBeGreaterThan(240)
    expect(await brightest(socialImages[area])).toBeLessThan(128)
  }
})

test('a headline of long words is visible, and stays between margins and above the ridges of the social image', async () => {
  const texts = shippedTexts()
  const to = join(folder, 'long')
  const withHeadline = (area: 'general' | 'business', headline: string) => ({
    [area]: { ...texts.areas[area], headline },
  })
  await makePictures({
    root,
    texts: {
      ...texts,
      areas: {
        ...texts.areas,
        ...withHeadline('general', 'Estudios interdisciplinarios internacionales, a su ritmo'),
        // The longest headline that the content's check allows.
        ...withHeadline('business', 'W'.repeat(60)),
      },
    },
    photographFolder: join(folder, 'none'),
    clientFolder: to,
  })
  const { socialImages } = JSON.parse(await readFile(join(to, 'pictures.json'), 'utf8'))
  for (const area of ['general', 'business'] as const) {
    const brightest = async (left: number, top: number, width: number, height: number) => {
      const part = { left, top, width, height }
      const { channels } = await statsOf(join(to, socialImages[area]), part)
      return Math.max(...channels.map(({ max }) => max))
    }
    // The margin and the sky above the ridges show the stage's color, and the rest has text on it.
    expect(await brightest(1136, 0, 64, 400), area).toBeLessThan(192)
    expect(await brightest(72, 395, 400, 20), area).toBeLessThan(192)
    expect(await brightest(72, 160, 800, 230), area).toBeGreaterThan(240)
  }
})

test.each([
  ['apple-touch-icon.png', 180],
  ['favicon.ico', 32],
])('%s is a square of %i pixels', async (name, size) => {
  const { width, height, format } = await sharp(made(`icons/${name}`)).metadata()
  expect([width, height, format]).toEqual([size, size, 'png'])
})

test.each(['apple-touch-icon.png'])(
  '%s is opaque to its corners, because systems cut it to shape',
  async (name) => {
    expect((await sharp(made(`icons/${name}`)).stats()).isOpaque).toBe(true)
  },
)

test('favicon.svg changes its color with the scheme', async () => {
  expect(await readFile(made('icons/favicon.svg'), 'utf8')).toMatch(
    /fill="#1d4f91".*prefers-color-scheme:dark/,
  )
})

test('an operator’s logo is in the icons and social images, a wordmark only in the social images', async () => {
  const texts = shippedTexts()
  const svg = (width: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 20"><rect width="${width}" height="20" fill="#f0f"/></svg>`
  const madeWith = async (width: number) => {
    const to = join(folder, `logo-${width}`)
    const src = `data:image/svg+xml,${encodeURIComponent(svg(width))}`
    const logo = { src, width, height: 20, hasName: false }
    await makePictures({
      root,
      texts: { ...texts, shared: { ...texts.shared, logo } },
      photographFolder: join(folder, 'none'),
      clientFolder: to,
    })
    const { socialImages } = JSON.parse(await readFile(join(to, 'pictures.json'), 'utf8'))
    const colorAt = async (path: string, left: number, top: number) => {
      const point = sharp(join(to, path)).extract({ left, top, width: 1, height: 1 })
      return [...(await point.removeAlpha().raw().toBuffer())]
    }
    return {
      icon: await colorAt('icons/apple-touch-icon.png', 90, 90),
      favicon: await readFile(join(to, 'icons/favicon.svg'), 'utf8'),
      social: await colorAt(socialImages.general, 100, 80),
    }
  }
  const magenta = [255, 0, 255]
  const square = await madeWith(20)
  expect(square).toMatchObject({ icon: magenta, social: magenta })
  expect(square.favicon).toContain('<image')
  const wide = await madeWith(100)
  expect(wide.social).toEqual(magenta)
  expect(wide.icon).not.toEqual(magenta)
  expect(wide.favicon).not.toContain('<image')
})

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePhotographs } from './photographs.ts'

let root: string
let from: string
let to: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'photographs-'))
  from = join(root, 'site-pictures')
  to = join(root, 'made')
  await mkdir(from)
  await mkdir(to)
})
afterEach(() => rm(root, { recursive: true }))

/** A photograph with a camera's metadata: its place and its maker. */
const photograph = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3a6ea5' } }).withExif({
    IFD0: { Make: 'Camera of Zoë', Copyright: 'Zoë' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '27/1 20/1 0/1' },
  })

const madeIn = async (folder: string) =>
  Promise.all(
    (await readdir(folder)).sort().map(async (name) => {
      const { format, width, height, exif, icc, xmp } = await sharp(join(folder, name)).metadata()
      return { name, format, width, height, hidden: exif ?? icc ?? xmp }
    }),
  )

test('a large photograph is converted to every width as AVIF and WebP, without camera metadata', async () => {
  await photograph(2000, 1000).jpeg().toFile(join(from, 'business.jpg'))
  expect((await sharp(join(from, 'business.jpg')).metadata()).exif).toBeDefined()
  const { business, ...others } = await makePhotographs(from, to)
  expect(others).toEqual({})
  const made = await madeIn(to)
  expect(made.map(({ width, height }) => [width, height]).sort()).toEqual(
    [480, 800, 1200, 1600]
      .flatMap((width) => [
        [width, width / 2],
        [width, width / 2],
      ])
      .sort(),
  )
  for (const { name, format, hidden } of made) {
    expect(name).toMatch(/^business-\d+-[\da-f]{8}\.(avif|webp)$/)
    expect(format).toBe(name.endsWith('.avif') ? 'heif' : 'webp')
    expect(hidden).toBeUndefined()
    expect(await readFile(join(to, name), 'latin1')).not.toContain('Camera')
  }
  expect(business).toMatchObject({ width: 1600, height: 800 })
  for (const type of ['avif', 'webp'] as const) {
    const entries = (business?.[type] ?? '').split(',').map((entry) => entry.split(' '))
    expect(entries.map(([, width]) => width)).toEqual(['480w', '800w', '1200w', '1600w'])
    for (const [path] of entries)
      expect(made.map(({ name }) => `/pictures/${name}`)).toContain(path)
  }
})

test.each([
  [300, [300]],
  [1000, [480, 800, 1000]],
])('a photograph %i pixels wide is never enlarged', async (width, expected) => {
  await photograph(width, 200).png().toFile(join(from, 'General.PNG'))
  const { general } = await makePhotographs(from, to)
  expect(general?.width).toBe(width)
  const widths = (await madeIn(to))
    .filter(({ format }) => format === 'webp')
    .map((made) => made.width)
  expect(widths.sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(expected)
})

test('a photograph with a rotation in its metadata is shown upright', async () => {
  await photograph(400, 200)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toFile(join(from, 'education.jpg'))
  const { education } = await makePhotographs(from, to)
  expect(education).toMatchObject({ width: 200, height: 400 })
})

describe('the build fails and names the photograph’s file if', () => {
  test('it is no picture', async () => {
    await writeFile(join(from, 'healthcare.jpg'), 'not a picture')
    await expect(makePhotographs(from, to)).rejects.toThrow(
      /^site-pictures\/healthcare\.jpg cannot be read as a picture: /,
    )
  })

  test('it breaks off half-way', async () => {
    const whole = await photograph(900, 600).jpeg().toBuffer()
    await writeFile(join(from, 'business.jpg'), whole.subarray(0, whole.length / 2))
    await expect(makePhotographs(from, to)).rejects.toThrow('site-pictures/business.jpg')
  })

  test('it belongs to no area', async () => {
    await photograph(100, 100).jpeg().toFile(join(from, 'buisness.jpg'))
    await expect(makePhotographs(from, to)).rejects.toThrow(
      'site-pictures/buisness.jpg belongs to no area',
    )
  })

  test('there are two for one area', async () => {
    await photograph(100, 100).jpeg().toFile(join(from, 'business.jpg'))
    await photograph(100, 100).png().toFile(join(from, 'business.png'))
    await expect(makePhotographs(from, to)).rejects.toThrow(
      'site-pictures/business.png: there is business.jpg for the same area',
    )
  })
})

test('instructions and hidden files are no photographs, nor is a folder needed', async () => {
  await writeFile(join(from, 'README.md'), '#')
  await writeFile(join(from, '.DS_Store'), '')
  expect(await makePhotographs(from, to)).toEqual({})
  expect(await makePhotographs(join(root, 'nowhere'), to)).toEqual({})
})

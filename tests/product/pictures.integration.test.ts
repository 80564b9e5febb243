import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPictures } from '#site/shell/assets.ts'
import type { PagePictures } from '#site/shell/page-assets.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { makePictures } from '../../scripts/pictures/make-pictures.ts'
import { type InProcessProduct, startInProcess } from './start-in-process.ts'

let folder: string
let pictures: PagePictures
let product: InProcessProduct
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  const photographFolder = join(folder, 'site-pictures')
  await mkdir(photographFolder)
  const picture = { width: 600, height: 400, channels: 3 as const, background: '#3a6ea5' }
  await sharp({ create: picture }).jpeg().toFile(join(photographFolder, 'business.jpg'))
  const clientFolder = join(folder, 'client')
  const root = resolve(import.meta.dirname, '../..')
  await makePictures({ root, texts: shippedTexts(), photographFolder, clientFolder })
  pictures = readPictures(clientFolder)
  product = await startInProcess({ SCHOOL_NAME: 'Zoë "A&B" University' }, clientFolder)
})
afterAll(async () => {
  await product.stop()
  await rm(folder, { recursive: true })
})

const get = (path: string, init: RequestInit = {}) => fetch(product.url + path, init)

const forEver = 'public, max-age=31536000, immutable'
const day = 'public, max-age=86400'
const photographPath = () => pictures.photographs.business?.avif.split(' ')[0] ?? ''

interface ServedFile {
  readonly name: string
  readonly path: () => string
  readonly type: RegExp
  readonly cacheControl: string
}

const served: readonly ServedFile[] = [
  {
    name: 'favicon.ico',
    path: () => '/favicon.ico',
    type: /^image\/(x-icon|vnd\.microsoft\.icon)$/,
    cacheControl: day,
  },
  {
    name: 'apple-touch-icon.png',
    path: () => '/apple-touch-icon.png',
    type: /^image\/png$/,
    cacheControl: day,
  },
  {
    name: 'favicon.svg',
    path: () => '/icons/favicon.svg',
    type: /^image\/svg\+xml/,
    cacheControl: day,
  },
  {
    name: 'a social image',
    path: () => pictures.socialImages.healthcare,
    type: /^image\/png$/,
    cacheControl: forEver,
  },
  { name: 'a photograph', path: photographPath, type: /^image\/avif$/, cacheControl: forEver },
]

describe.each(served)('$name', ({ path, type, cacheControl }) => {
  test('has its type, length and caching time, and no cookie', async () => {
    const reply = await get(path())
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(type)
    expect(reply.headers.get('cache-control')).toBe(cacheControl)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.getSetCookie()).toEqual([])
    const body = await reply.arrayBuffer()
    expect(body.byteLength).toBeGreaterThan(0)
    expect(reply.headers.get('content-length')).toBe(String(body.byteLength))
  })

  test('answers HEAD with the same headers and no body', async () => {
    const [read, head] = [await get(path()), await get(path(), { method: 'HEAD' })]
    expect(head.status).toBe(200)
    for (const header of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(header), header).toBe(read.headers.get(header))
    }
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })
})

test('the body is the picture', async () => {
  const photograph = await sharp(await (await get(photographPath())).arrayBuffer()).metadata()
  expect([photograph.width, photograph.height]).toEqual([480, 320])
  const social = await (await get(pictures.socialImages.general)).arrayBuffer()
  expect((await sharp(social).metadata()).width).toBe(1200)
})

test('only the social images may be shown by other sites', async () => {
  const may = async (path: string) => (await get(path)).headers.get('cross-origin-resource-policy')
  expect(await may(pictures.socialImages.general)).toBe('cross-origin')
  expect(await may('/icons/favicon.svg')).toBe('same-origin')
})

test.each([
  '/pictures/nothing.avif',
  '/icons/',
  '/social',
  '/pictures.json',
  '/icons/../pictures.json',
])('%s gets a 404', async (path) => {
  const reply = await get(path)
  // A path of one unknown word shows the general page; a deeper path shows none.
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/)
  expect(reply.headers.get('cache-control')).toBe('private, no-cache')
})

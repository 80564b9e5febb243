import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { imageSize } from 'image-size'
import type { Logo } from '#content/site-words.ts'

/** It stands in every page itself, so a visitor's first flight has it. */
const mostBytes = 3000

const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
}

/** Reads the operator's logo: shown as an image, in which no script runs and which fetches nothing. */
export function readLogo(
  folder: string,
  file: string,
  hasName: boolean,
): { readonly value: Logo } | { readonly fault: string } {
  if (basename(file) !== file) return { fault: `${file} has to lie in content/ itself` }
  let bytes: Buffer
  try {
    bytes = readFileSync(join(folder, file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { fault: `there is no ${file} in content/` }
    return { fault: `${file} cannot be read (${code})` }
  }
  if (bytes.length > mostBytes) {
    return {
      fault: `${file} has ${bytes.length} bytes: there is room for ${mostBytes} in each page`,
    }
  }
  const size = sizeOf(bytes)
  const type = types[size?.type ?? '']
  if (size === undefined || type === undefined) {
    return {
      fault: `${file} is no picture that can be shown: SVG, PNG or WebP, with its width and height`,
    }
  }
  const { width, height } = size
  if (width > height * 6 || height > width * 1.5) {
    return { fault: `${file} is ${width} × ${height}: there is room for six times as wide as high` }
  }
  return { value: { src: dataAddress(type, bytes), width, height, hasName } }
}

function sizeOf(bytes: Uint8Array) {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

/** As text where it is text: a page is compressed, and base64 hardly is. */
const dataAddress = (type: string, bytes: Buffer): string =>
  type === 'image/svg+xml'
    ? `data:${type},${encodeURIComponent(bytes.toString()).replaceAll('%20', ' ').replaceAll('%3D', '=')}`
    : `data:${type};base64,${bytes.toString('base64')}`

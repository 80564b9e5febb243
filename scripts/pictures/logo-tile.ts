import sharp from 'sharp'
import type { Logo } from '#content/site-words.ts'

interface Room {
  readonly width: number
  readonly height: number
}

/** The operator's logo on white, as in the header: as large as the room allows, with a margin around it. */
export async function logoTile(logo: Logo, room: Room): Promise<Buffer> {
  const picture = await logoPicture(logo, { width: room.width - 24, height: room.height - 24 })
  return sharp(picture)
    .extend({ top: 12, bottom: 12, left: 12, right: 12, background: '#fff' })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
}

/** As large as fits into the room, whatever it was drawn for. */
export async function logoPicture(logo: Logo, room: Room): Promise<Buffer> {
  const scale = Math.min(room.width / logo.width, room.height / logo.height)
  // A drawing is made at the size that is wanted: enlarged, it would blur.
  const density = Math.min(72 * Math.max(scale, 1), 2400)
  return sharp(bytesOf(logo), { density })
    .resize({ ...room, fit: 'inside' })
    .png()
    .toBuffer()
}

function bytesOf({ src }: Logo): Buffer {
  const [head = '', data = ''] = src.split(/,(.*)/s)
  return head.endsWith(';base64')
    ? Buffer.from(data, 'base64')
    : Buffer.from(decodeURIComponent(data))
}

const headerLength = 22

/**
 * A Windows icon that holds one PNG, as every browser reads it: https://en.wikipedia.org/wiki/ICO_(file_format)
 * @param size side in pixels, below 256
 */
export function icoOf(png: Uint8Array, size: number): Uint8Array {
  const ico = new Uint8Array(headerLength + png.length)
  const view = new DataView(ico.buffer)
  view.setUint16(2, 1, true) // an icon, not a cursor
  view.setUint16(4, 1, true) // how many
  view.setUint8(6, size)
  view.setUint8(7, size)
  view.setUint16(10, 1, true) // color planes
  view.setUint16(12, 32, true) // bits a pixel
  view.setUint32(14, png.length, true)
  view.setUint32(18, headerLength, true)
  ico.set(png, headerLength)
  return ico
}

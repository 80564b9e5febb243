import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { areas } from '#domain/area.ts'
import type { PagePictures } from '#site/shell/head/page-pictures.ts'

const photograph = v.object({
  width: v.number(),
  height: v.number(),
  avif: v.string(),
  webp: v.string(),
})

const pictures = v.object({
  socialImages: v.object(v.entriesFromList(areas, v.string())),
  photographs: v.object(v.entriesFromList(areas, v.optional(photograph))),
})

/** Reads which pictures the build has made. */
export function builtPictures(clientFolder: string): PagePictures {
  return v.parse(pictures, JSON.parse(readFileSync(join(clientFolder, 'pictures.json'), 'utf8')))
}

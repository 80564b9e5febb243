import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import * as v from 'valibot'
import { uiConstantsCss } from '#content/ui-constants.ts'
import { areas } from '#domain/area.ts'
import { readBuild } from '#server/platform/http/read-build.ts'
import { bootstrapScript } from '#site/shell/bootstrap-script.ts'
import { displayFontCss, type PageAssets, type PagePictures } from '#site/shell/page-assets.ts'

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

export function builtPictures(clientFolder: string): PagePictures {
  return v.parse(pictures, JSON.parse(readFileSync(join(clientFolder, 'pictures.json'), 'utf8')))
}

/**
 * Reads the files that the build has made for the browser.
 *
 * @throws if there is no build
 */
export function builtAssets(clientFolder: string): PageAssets {
  const { fileOf, styles } = readBuild(clientFolder)
  const displayFont = fileOf('display.woff2')
  return {
    styles: uiConstantsCss + displayFontCss(displayFont) + styles,
    displayFont,
    bootstrapScript,
    formScript: fileOf('src/site/hydrate.tsx'),
    developmentScripts: [],
    pictures: builtPictures(clientFolder),
  }
}

const day = 'public, max-age=86400'
const immutable = 'public, max-age=31536000, immutable'

/** Browsers request these paths at the root, whatever icons a page's head names. */
const rootIcons = ['/favicon.ico', '/apple-touch-icon.png']
export function pictureFiles(clientFolder: string) {
  const iconTags = tagsOfIcons(join(clientFolder, 'icons'))
  const files = (cacheControl: string, tagOf: (name: string) => string | undefined) =>
    serveStatic({
      root: clientFolder,
      rewriteRequestPath: (path) => (rootIcons.includes(path) ? `/icons${path}` : path),
      onFound: (path, c) => {
        c.header('Cache-Control', cacheControl)
        c.header('ETag', `"${tagOf(basename(path))}"`)
      },
    })
  return (
    new Hono()
      // The file names change with the content, so an ETag of the name is enough.
      .on(
        'GET',
        ['/pictures/*', '/social/*'],
        etag(),
        files(immutable, (name) => name),
      )
      .on(
        'GET',
        ['/icons/*', ...rootIcons],
        etag(),
        files(day, (name) => iconTags.get(name)),
      )
  )
}

/**
 * Hashes the icons once at startup: hono/etag would read the file for each visitor, and cannot hash the response to HEAD.
 */
function tagsOfIcons(folder: string): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('base64url')
  return new Map(names.map((name) => [name, hashOf(name).slice(0, 22)]))
}

/** Lets other sites show social images. The middleware runs outside the security headers, which would forbid it. */
export const shownElsewhere = createMiddleware(async (c, next) => {
  await next()
  c.res.headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { uiConstantsCss } from '#content/ui-constants.ts'
import { readBrowserBuild } from '#server/platform/http/assets.ts'
import { bootstrapScript } from '#site/enquiry/bootstrap-script.ts'
import { makeFontCss, type PageAssets, type PagePictures } from './page-assets.ts'

export const readPictures = (clientFolder: string): PagePictures =>
  JSON.parse(readFileSync(join(clientFolder, 'pictures.json'), 'utf8'))

/** Reads the files that the build has made for the browser. @throws if there is no build */
export function readPageAssets(clientFolder: string): PageAssets {
  const { fileOf, styles } = readBrowserBuild(clientFolder)
  const displayFont = fileOf('display.woff2')
  return {
    styles: uiConstantsCss + makeFontCss(displayFont) + styles,
    displayFont,
    bootstrapScript,
    formScript: fileOf('src/site/enquiry/hydrate.tsx'),
    developmentScripts: [],
    pictures: readPictures(clientFolder),
  }
}

const day = 'public, max-age=86400'
const immutable = 'public, max-age=31536000, immutable'

/** Browsers request these icons even if a page names other icons. */
const rootIcons = ['/favicon.ico', '/apple-touch-icon.png']

/** Serves pictures and icons. Browsers may keep pictures for a year, because a changed picture has a new name. */
export function servePictures(clientFolder: string) {
  const files = (cacheControl: string) =>
    serveStatic({
      root: clientFolder,
      rewriteRequestPath: (path) => (rootIcons.includes(path) ? `/icons${path}` : path),
      onFound: (_, c) => c.header('Cache-Control', cacheControl),
    })
  return new Hono()
    .on('GET', ['/pictures/*', '/social/*'], files(immutable))
    .on('GET', ['/icons/*', ...rootIcons], files(day))
}

/** Lets other sites show social images. Comes before the security headers, because it replaces one of them. */
export const allowCrossOrigin = createMiddleware(async (c, next) => {
  await next()
  c.res.headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
})

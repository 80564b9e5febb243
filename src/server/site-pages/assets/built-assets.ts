import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { uiConstantsCss } from '#content/ui-constants.ts'
import { bootstrapScript } from '#site/shell/head/bootstrap-script.ts'
import { displayFontCss } from '#site/shell/head/display-font.ts'
import type { PageAssets } from '#site/shell/page-assets.ts'
import { builtPictures } from './built-pictures.ts'

const manifest = v.record(v.string(), v.object({ file: v.string() }))

/**
 * Reads what the build has made for the browser.
 * @throws where there is no build
 */
export function builtAssets(clientFolder: string): PageAssets {
  const text = readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8')
  const files = v.parse(manifest, JSON.parse(text))
  const fileOf = (name: string): string => {
    const file = files[name]?.file
    if (file === undefined) throw new Error(`the build has no ${name}`)
    return file
  }
  const displayFont = `/${fileOf('display.woff2')}`
  const stylesheet = readFileSync(join(clientFolder, fileOf('style.css')), 'utf8').trim()
  return {
    styles: uiConstantsCss + displayFontCss(displayFont) + stylesheet,
    displayFont,
    bootstrapScript,
    formScript: `/${fileOf('src/site/hydrate.tsx')}`,
    developmentScripts: [],
    pictures: builtPictures(clientFolder),
  }
}

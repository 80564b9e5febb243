import { readFileSync } from 'node:fs'
import { firefox as firefoxBuild, webkit as webkitBuild } from '@playwright/test'
import { firefox } from './bidi/firefox.ts'
import type { Candidate } from './browser.ts'
import { playwrightsBuild } from './playwright/playwrights-build.ts'
import { webKitGtk } from './webdriver/webkit-gtk.ts'

/** The part of the tools' list that scripts/setup/tools.mjs writes for browsers. */
interface FoundBrowsers {
  readonly firefox: { readonly executable: string } | { readonly playwrights: string }
  readonly webkit:
    | { readonly driver: string; readonly xvfb: string }
    | { readonly playwrights: string }
}

/** Reads which browsers to test: the system’s own if it has them, else Playwright’s builds. */
export function readCandidates(file: string): readonly Candidate[] {
  const found: FoundBrowsers = JSON.parse(readFileSync(file, 'utf8'))
  return [
    'executable' in found.firefox
      ? firefox(found.firefox.executable)
      : playwrightsBuild('Firefox', firefoxBuild, found.firefox.playwrights),
    'driver' in found.webkit
      ? webKitGtk(found.webkit.driver, found.webkit.xvfb)
      : playwrightsBuild('WebKit', webkitBuild, found.webkit.playwrights),
  ]
}

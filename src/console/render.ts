import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'

/**
 * A whole page as it is sent. Much of it is foreign text, so invisible characters are shown as
 * escapes. Styles have none, or their hash would be another.
 */
export const html = (page: ReactElement): string =>
  `<!doctype html>${escapeInvisibleInLines(renderToStaticMarkup(page))}`

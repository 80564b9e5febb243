import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'

/**
 * Renders a whole HTML page. Invisible characters in it are shown as escapes, because much of the text comes from
 * strangers. Inline styles contain no such characters, so their CSP hashes stay valid.
 */
export const renderHtml = (page: ReactElement): string =>
  `<!doctype html>${escapeInvisibleInLines(renderToStaticMarkup(page))}`

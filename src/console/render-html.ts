import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { escapeInvisibleInLines } from '#domain/text/escape-invisible.ts'

/**
 * Renders a whole HTML page and escapes its invisible characters, because much of the text comes from visitors. Inline
 * styles contain no invisible characters, so their CSP hashes stay valid.
 */
export const renderHtml = (page: ReactElement): string =>
  `<!doctype html>${escapeInvisibleInLines(renderToStaticMarkup(page))}`

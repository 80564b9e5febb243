import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** A whole page as it is sent. */
export const html = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`

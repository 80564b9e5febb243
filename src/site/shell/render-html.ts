import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

export const renderHtml = (page: ReactElement): string =>
  `<!doctype html>${renderToStaticMarkup(page)}`

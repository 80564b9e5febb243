import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { LegalPath } from '#content/site-words.ts'
import { LandingPage, type LandingPageProps } from './landing/landing-page.tsx'
import { LegalPage, NotFoundPage } from './legal/legal-page.tsx'
import type { PageContext } from './shell/document.tsx'

const html = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`

export const renderLanding = (
  context: PageContext,
  page: Omit<LandingPageProps, 'context'>,
): string => html(<LandingPage {...page} context={context} />)

export const renderLegal = (context: PageContext, path: LegalPath): string =>
  html(<LegalPage context={context} path={path} />)

export const renderNotFound = (context: PageContext): string =>
  html(<NotFoundPage context={context} />)

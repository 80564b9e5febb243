import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { LegalPath } from '#content/site-texts.ts'
import { attributionField } from '#contract/api-constants.ts'
import { UnhydratedField } from './landing/enquiry-island.tsx'
import { LandingPage, type LandingPageProps } from './landing/landing-page.tsx'
import { LegalPage, NotFoundPage } from './legal/legal-page.tsx'
import type { PageContext } from './shell/document.tsx'

const renderHtml = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`

export const renderLanding = (
  context: PageContext,
  page: Omit<LandingPageProps, 'context'>,
): string => renderHtml(<LandingPage {...page} context={context} />)

/** Puts the attribution into a landing page that was rendered without it. */
export const fillInAttribution = (page: string, attribution: string): string =>
  page.replace(renderAttributionField(''), () => renderAttributionField(attribution))

const renderAttributionField = (value: string): string =>
  renderToStaticMarkup(<UnhydratedField name={attributionField} value={value} />)

export const renderLegal = (context: PageContext, path: LegalPath): string =>
  renderHtml(<LegalPage context={context} path={path} />)

export const renderNotFound = (context: PageContext): string =>
  renderHtml(<NotFoundPage context={context} />)

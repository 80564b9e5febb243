import { Hono } from 'hono'
import { etag } from 'hono/etag'
import type { ReactNode } from 'react'
import { formLinkTexts } from '#content/messages.ts'
import { type LegalPath, legalPaths } from '#content/site-texts.ts'
import { type Area, areaPath, parseArea } from '#domain/area.ts'
import { readReferer, toRequestHead } from '#server/platform/http/request-head.ts'
import type { SiteServices } from '#site/site-services.ts'
import { drawings } from '../landing/hero.tsx'
import { AreaCards, formSectionId } from '../landing/sections.tsx'
import {
  Document,
  HtmlText,
  makeDocumentTitle,
  type PageContext,
  renderHtml,
} from '../shell/document.tsx'
import styles from './legal-page.module.css'
import ownStyles from './legal-page.module.css?inline'

/** The styles that legal pages have beside the site's. */
export const legalPageStyles = ownStyles

export function legalPageRoutes({ cache, context }: SiteServices) {
  const routes = new Hono()
  for (const path of legalPaths) {
    routes.get(path, etag(), (c) => {
      const head = toRequestHead(c)
      const page = context(head)
      // Whoever comes from an area's page gets links back to its form.
      const from = readReferer(head, page.siteOrigin)
      const area = from?.isOwn ? parseArea(from.url.pathname.slice(1)) : 'general'
      const render = () => renderHtml(<LegalPage context={page} path={path} formArea={area} />)
      return cache.send(c, page.siteOrigin, [path, area].join(), render)
    })
  }
  return routes
}

/** The title over the general page's scene, which is only decoration. */
function Stage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.stage}>
      <div
        className={styles.scene}
        aria-hidden="true"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawings are our own files
        dangerouslySetInnerHTML={{ __html: drawings.general }}
      />
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  )
}

const FormLink = ({ area }: { area: Area }) => (
  <a href={`${areaPath(area)}#${formSectionId}`}>{formLinkTexts.form}</a>
)

interface LegalPageProps {
  context: PageContext
  path: LegalPath
  /** The area whose form the page's links lead to. */
  formArea?: Area
}

/** A static page: the title as the hero, a table of contents, and the text. */
export function LegalPage({ context, path, formArea = 'general' }: LegalPageProps) {
  const page = context.texts.legal[path]
  return (
    <Document
      context={context}
      title={makeDocumentTitle(page.title, context)}
      description={page.description}
      path={path}
      area="general"
      ownStyles={ownStyles}
    >
      <Stage title={page.title}>
        <p className={styles.below}>
          {page.lastUpdated && <span>Last updated {page.lastUpdated}</span>}{' '}
          <FormLink area={formArea} />
        </p>
      </Stage>
      <div className={`${styles.text} ${styles.legal}`}>
        <HtmlText html={page.introduction} />
        <nav aria-labelledby="contents">
          <h2 id="contents">On this page</h2>
          <ul>
            {page.sections.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
        {page.sections.map(({ id, heading, body }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{heading}</h2>
            <HtmlText html={body} />
          </section>
        ))}
        <p className={styles.form}>
          <FormLink area={formArea} />
        </p>
      </div>
    </Document>
  )
}

export function NotFoundPage({ context }: { context: PageContext }) {
  const { texts } = context
  return (
    <Document
      context={context}
      title={makeDocumentTitle('Page not found', context)}
      description="There is no page at this address."
      area="general"
      ownStyles={ownStyles}
    >
      <Stage title="We could not find that page">
        <p className={styles.below}>The address may be mistyped, or the page may have moved.</p>
      </Stage>
      <div className={styles.text}>
        <p>
          Pick a field of study, or <a href="/">start on the home page</a>.
        </p>
        <AreaCards
          texts={texts}
          className={styles.areas}
          describe={(area) => texts.areas[area].headline}
        />
      </div>
    </Document>
  )
}

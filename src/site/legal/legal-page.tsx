import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { type LegalPath, legalPaths } from '#content/site-texts.ts'
import { toRequestHead } from '#server/platform/http/request-head.ts'
import type { SiteServices } from '#site/site-services.ts'
import {
  Document,
  HtmlText,
  makeDocumentTitle,
  type PageContext,
  renderHtml,
} from '../shell/document.tsx'
import styles from './legal-page.module.css'

export function legalPageRoutes({ cache, context }: SiteServices) {
  const routes = new Hono()
  for (const path of legalPaths) {
    routes.get(path, etag(), (c) => {
      const page = context(toRequestHead(c))
      const render = () => renderHtml(<LegalPage context={page} path={path} />)
      return cache.send(c, page.siteOrigin, path, render)
    })
  }
  return routes
}

/** A static page: the title as the hero, a table of contents, and the text. */
export function LegalPage({ context, path }: { context: PageContext; path: LegalPath }) {
  const page = context.texts.legal[path]
  return (
    <Document
      context={context}
      title={makeDocumentTitle(page.title, context)}
      description={page.description}
      path={path}
      area="general"
    >
      <div className={styles.hero}>
        <h1 className={styles.title}>{page.title}</h1>
        {page.lastUpdated && <p className={styles.updated}>Last updated {page.lastUpdated}</p>}
      </div>
      <div className={styles.text}>
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
      </div>
    </Document>
  )
}

export function NotFoundPage({ context }: { context: PageContext }) {
  return (
    <Document
      context={context}
      title={makeDocumentTitle('Page not found', context)}
      description="There is no page at this address."
      area="general"
    >
      <div className={styles.text}>
        <h1>We could not find that page</h1>
        <p>
          The address may be mistyped, or the page may have moved.{' '}
          <a href="/">Go to the home page</a> to find a program and contact the school.
        </p>
      </div>
    </Document>
  )
}

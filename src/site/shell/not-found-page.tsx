import styles from '../legal/legal-page.module.css'
import { Document, documentTitle, type PageContext } from './document.tsx'

/** Any path that is no page. */
export function NotFoundPage({ context }: { context: PageContext }) {
  return (
    <Document
      context={context}
      title={documentTitle('Page not found', context)}
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

import { ConsolePage } from '#console/shell/console-page.tsx'
import styles from './document-page.module.css'

interface DocumentPageProps {
  name: string
  /** The document without its first heading, as trusted HTML. */
  html: string
}

/** Shows one of the product's documents, to which messages and alerts link. */
export const DocumentPage = ({ name, html }: DocumentPageProps) => (
  <ConsolePage name={name}>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the text is part of the product, not an operator's */}
    <div className={styles.document} dangerouslySetInnerHTML={{ __html: html }} />
  </ConsolePage>
)

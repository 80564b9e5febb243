import { ConsolePage, type ConsoleShell } from '../shell/console-page.tsx'
import styles from './document-page.module.css'

interface DocumentPageProps {
  shell: ConsoleShell
  name: string
  /** The document without its first heading, as trusted HTML. */
  html: string
}

/** Shows one of the product's documents, to which messages and alerts link. */
export const DocumentPage = ({ shell, name, html }: DocumentPageProps) => (
  <ConsolePage shell={shell} name={name}>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the text is part of the product, not an operator's */}
    <div className={styles.document} dangerouslySetInnerHTML={{ __html: html }} />
  </ConsolePage>
)

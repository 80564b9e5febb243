import { counted } from '#domain/text/counted.ts'
import { LeadLinks, Reference } from '../lead/lead-name.tsx'
import { FilterParts } from './filter-parts.tsx'
import styles from './subject.module.css'

/** What something was done to. */
export type ShownSubject =
  | {
      readonly kind: 'one'
      readonly id: string
      /** The email of an operator. */
      readonly toWhom: string | null
    }
  | { readonly kind: 'leads'; readonly ids: readonly string[] }
  /** Part by part, as the page says it that it is of. */
  | { readonly kind: 'filter'; readonly parts: readonly string[] }
  | { readonly kind: 'words'; readonly text: string }

export function Subject({ of }: { of: ShownSubject }) {
  switch (of.kind) {
    case 'one':
      // Leads to all that was done to it.
      return <a href={`/audit?subject=${of.id}`}>{of.toWhom ?? <Reference id={of.id} />}</a>
    case 'leads':
      return of.ids.length <= 2 ? (
        <LeadLinks ids={of.ids} />
      ) : (
        <details className={styles.folded}>
          <summary>{counted(of.ids.length, 'lead')}</summary>
          <LeadLinks ids={of.ids} />
        </details>
      )
    case 'filter':
      return <FilterParts parts={of.parts} />
    case 'words':
      return of.text
  }
}

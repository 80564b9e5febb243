import { renderToString } from 'react-dom/server'
import { doNotSellNotice, linkedProgramTexts } from '#content/messages.ts'
import { enquiryFormId } from '#contract/api-constants.ts'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { EnquiryApp } from '../enquiry/enquiry-app.tsx'
import type { EnquiryProps } from '../enquiry/form-state.ts'
import { lazyFormParts } from '../enquiry/lazy-form-parts.ts'
import { JsonScript } from '../shell/json-script.tsx'
import styles from './landing-page.module.css'
import noteStyles from './linked-program.module.css'
import { programPath } from './sections.tsx'

/** A program in a page's URL: one of the page's form, one of another area's form, or none that a form offers. */
export type LinkedProgram =
  | { readonly kind: 'offered'; readonly program: Program }
  | { readonly kind: 'elsewhere'; readonly program: Program; readonly area: Area }
  | { readonly kind: 'unknown' }

/** The form and its props. The browser hydrates only this part of the page. */
export function EnquiryIsland({ form, script }: { form: EnquiryProps; script: string }) {
  // On a new page, the browser hydrates before the lazy parts load, so the server renders without them, too.
  const app = <EnquiryApp {...form} lazyParts={form.posted && lazyFormParts} />
  return (
    <>
      <div
        id="enquiry"
        data-script={script}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output
        dangerouslySetInnerHTML={{ __html: renderToString(app) }}
      />
      <JsonScript id="enquiry-props" type="application/json" value={form} />
    </>
  )
}

/** A field of the form outside the hydrated part, so that React does not change the field's value. */
export const UnhydratedField = ({ name, value }: { name: string; value: string }) => (
  <input type="hidden" form={enquiryFormId} name={name} value={value} />
)

/** Says where a link's program is offered if this page's form does not offer it. */
export function LinkedProgramNote({
  linked,
  nameOf,
}: {
  linked: LinkedProgram
  nameOf: (area: Area) => string
}) {
  if (linked.kind === 'offered') return null
  if (linked.kind === 'unknown')
    return <p className={noteStyles.note}>{linkedProgramTexts.unknown}</p>
  const { program, area } = linked
  return (
    <p className={noteStyles.note}>
      {linkedProgramTexts.elsewhere(program.name, nameOf(area))}{' '}
      <a href={programPath(area, program.id)}>{linkedProgramTexts.go(program.name)}</a>
    </p>
  )
}

/** The note is outside the hydrated form, so that visitors with Global Privacy Control see it on every step. */
export function DoNotSellNote({ school }: { school: string }) {
  return (
    <p className={styles.note}>
      {doNotSellNotice.heard} {doNotSellNotice.meaning(school)}{' '}
      <a href="/information/privacy-policy#cookies">{doNotSellNotice.more}</a>
    </p>
  )
}

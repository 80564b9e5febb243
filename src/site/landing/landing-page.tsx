import { areaPages } from '#content/area-pages.ts'
import { areaPath } from '#domain/area.ts'
import type { EnquiryProps } from '../enquiry/enquiry-props.ts'
import { initialState } from '../enquiry/form-state.ts'
import { pageTitle } from '../enquiry/step-logic/page-title.ts'
import { Document, type PageContext } from '../shell/document.tsx'
import { EnquiryIsland } from './enquiry-island.tsx'
import { HeroPicture } from './hero-picture.tsx'
import styles from './landing-page.module.css'
import { Marketing } from './marketing.tsx'
import { NotSoldNote } from './not-sold-note.tsx'
import { SchoolData } from './school-data.tsx'

/** What the visitor's browser asks of us. */
export interface VisitorWishes {
  /** Global Privacy Control. */
  notToSell: boolean
}

interface LandingPageProps {
  context: PageContext
  form: EnquiryProps
  wishes: VisitorWishes
}

/** The form wrapper page (section 2): hero, form, marketing block; the footer is the shell's. */
export function LandingPage({ context, form, wishes }: LandingPageProps) {
  const { area } = form
  const page = areaPages[area]
  return (
    <Document
      context={context}
      title={pageTitle(form.title, initialState(form.posted))}
      description={page.lead}
      path={areaPath(area)}
      area={area}
      hasForm
    >
      <div className={styles.opening}>
        <div className={styles.hero}>
          <hgroup>
            <p className={styles.eyebrow}>{page.title}</p>
            <h1 className={styles.headline}>{page.headline}</h1>
          </hgroup>
          <p className={styles.lead}>{page.lead}</p>
          <HeroPicture
            area={area}
            alt={page.pictureAlt}
            photograph={context.assets.pictures?.photographs[area]}
          />
        </div>
        <section className={styles.form} aria-label="Your enquiry">
          <EnquiryIsland form={form} script={context.assets.formScript} />
          {wishes.notToSell && <NotSoldNote school={context.names.school} />}
        </section>
      </div>
      <Marketing reasons={page.reasons} />
      <SchoolData school={context.names.school} siteOrigin={context.siteOrigin} />
    </Document>
  )
}

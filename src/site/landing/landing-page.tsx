import { areaPages } from '#content/area-pages.ts'
import { chosenLead, promise } from '#content/landing-words.ts'
import { areaPath } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/program.ts'
import type { EnquiryProps } from '../enquiry/enquiry-props.ts'
import { initialState } from '../enquiry/form-state.ts'
import { pageTitle } from '../enquiry/step-logic/page-title.ts'
import { Document, type PageContext } from '../shell/document.tsx'
import { AreaCards } from './area-cards.tsx'
import { BeforeYouAsk } from './before-you-ask.tsx'
import { EnquiryIsland } from './enquiry-island.tsx'
import { Figures } from './figures.tsx'
import { HeroPicture } from './hero-picture.tsx'
import styles from './landing-page.module.css'
import { Marketing } from './marketing.tsx'
import { NotSoldNote } from './not-sold-note.tsx'
import { ProgramLists } from './program-lists.tsx'
import { SchoolData } from './school-data.tsx'

/** What the visitor's browser asks of us. */
export interface VisitorWishes {
  /** Global Privacy Control. */
  notToSell: boolean
}

export interface LandingPageProps {
  context: PageContext
  form: EnquiryProps
  wishes: VisitorWishes
  /** Every program on offer, of all areas. */
  catalogue: readonly Program[]
}

/** The form wrapper page (section 2): hero, form, marketing block; the footer is the shell's. */
export function LandingPage({ context, form, wishes, catalogue }: LandingPageProps) {
  const { area, programs, wantedProgram } = form
  const { names, siteOrigin } = context
  const page = areaPages[area]
  const path = areaPath(area)
  // Once it has been sent, the address has it for the thanks alone.
  const isSent = form.posted?.leadId !== undefined
  const chosen = isSent ? undefined : programs.find(({ id }) => id === wantedProgram)
  const isGeneral = area === 'general'
  return (
    <Document
      context={context}
      title={pageTitle(form.title, initialState(form))}
      description={page.lead}
      path={path}
      area={area}
      hasForm
    >
      <div className={styles.opening}>
        <div className={styles.hero}>
          <div className={styles.words}>
            <div className={styles.stage} />
            <hgroup>
              <p className={styles.eyebrow}>{page.title}</p>
              <h1 className={styles.headline}>{page.headline}</h1>
            </hgroup>
            <p className={styles.lead}>{chosen ? chosenLead(chosen.name) : page.lead}</p>
          </div>
          <HeroPicture
            area={area}
            alt={page.pictureAlt}
            photograph={context.assets.pictures?.photographs[area]}
          />
        </div>
        <section className={styles.form} aria-label="Your request">
          <EnquiryIsland form={form} script={context.assets.formScript} />
          <p className={styles.promise}>
            {promise.cost} {promise.when.before}
            <strong>{promise.when.button}</strong>
            {promise.when.after}
          </p>
          {wishes.notToSell && <NotSoldNote school={names.school} />}
        </section>
      </div>
      <Figures claims={page.figures} />
      {isGeneral ? (
        <AreaCards programs={catalogue} />
      ) : (
        <ProgramLists area={area} programs={programs} chosen={chosen} />
      )}
      <Marketing reasons={page.reasons} />
      <BeforeYouAsk names={names} />
      <SchoolData
        school={names.school}
        siteOrigin={siteOrigin}
        url={siteOrigin + path}
        programs={isGeneral ? [] : programs}
      />
    </Document>
  )
}

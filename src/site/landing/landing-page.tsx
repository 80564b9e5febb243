import { fillIn } from '#content/fill-in.ts'
import { areaPath } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { EnquiryProps } from '../enquiry/enquiry-props.ts'
import { initialState } from '../enquiry/form-state.ts'
import { pageTitle } from '../enquiry/step-logic/page-title.ts'
import { Document, type PageContext } from '../shell/document.tsx'
import { InlineText } from '../shell/inline-text.tsx'
import { Figures } from './figures/figures.tsx'
import { HeroPicture } from './hero/hero-picture.tsx'
import styles from './landing-page.module.css'
import { AreaCards } from './programs/area-cards.tsx'
import { ProgramLists } from './programs/program-lists.tsx'
import { BeforeYouAsk } from './questions/before-you-ask.tsx'
import { Marketing } from './reasons/marketing.tsx'
import { EnquiryIsland } from './request/enquiry-island.tsx'
import { NotSoldNote } from './request/not-sold-note.tsx'
import { SchoolData } from './search-engines/school-data.tsx'

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
  const { names, words, siteOrigin } = context
  const page = words.areas[area]
  const { headings, ...shared } = words.shared
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
            <p className={styles.lead}>
              {chosen ? fillIn(shared.chosenLead, { program: chosen.name }) : page.lead}
            </p>
          </div>
          <HeroPicture
            area={area}
            alt={page.picture}
            photograph={context.assets.pictures?.photographs[area]}
          />
        </div>
        <section className={styles.form} aria-label="Your request">
          <EnquiryIsland form={form} script={context.assets.formScript} />
          <p className={styles.promise}>
            <InlineText of={shared.promise} />
          </p>
          {wishes.notToSell && <NotSoldNote school={names.school} />}
        </section>
      </div>
      <Figures heading={headings.figures} claims={page.figures} note={shared.figuresNote} />
      {isGeneral ? (
        <AreaCards words={words} programs={catalogue} />
      ) : (
        <ProgramLists
          heading={fillIn(headings.programs, { area: page.name })}
          area={area}
          programs={programs}
          chosen={chosen}
        />
      )}
      <Marketing heading={headings.reasons} reasons={page.reasons} />
      <BeforeYouAsk heading={headings.questions} questions={shared.questions} />
      <SchoolData
        school={names.school}
        siteOrigin={siteOrigin}
        url={siteOrigin + path}
        programs={isGeneral ? [] : programs}
      />
    </Document>
  )
}

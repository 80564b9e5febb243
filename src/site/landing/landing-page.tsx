import { replacePlaceholders } from '#content/site-texts.ts'
import { attributionField } from '#contract/api-constants.ts'
import { areaPath } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { type EnquiryProps, makeInitialState } from '../enquiry/form-state.ts'
import { makeStepTitle } from '../enquiry/step-title.ts'
import { Document, type PageContext } from '../shell/document.tsx'
import { DoNotSellNote, EnquiryIsland, ProgramPicker, UnhydratedField } from './enquiry-island.tsx'
import { HeroPicture } from './hero.tsx'
import styles from './landing-page.module.css'
import {
  AreaCards,
  FaqSection,
  FigureSection,
  formSectionId,
  ProgramLists,
  SellingPointSection,
} from './sections.tsx'

export interface LandingPageProps {
  context: PageContext
  form: EnquiryProps
  attribution: string
  notToSell: boolean
  catalogue: readonly Program[]
}

/** The form wrapper page (section 2): hero, form and marketing block. The shell adds the footer. */
export function LandingPage({
  context,
  form,
  attribution,
  notToSell,
  catalogue,
}: LandingPageProps) {
  const { area, programs, wantedProgram } = form
  const { names, texts } = context
  const page = texts.areas[area]
  const { headings, ...shared } = texts.shared
  const path = areaPath(area)
  // After sending, only the thank-you screen uses the program id in the page's URL.
  const isSent = form.posted?.leadId !== undefined
  const chosen = isSent ? undefined : programs.find(({ id }) => id === wantedProgram)
  const isGeneral = area === 'general'
  const facts = fillFacts(page.facts, isGeneral ? catalogue.length : programs.length)
  const isOnStep1 = (form.posted?.enquiry.step ?? 0) === 0
  return (
    <Document
      context={context}
      title={makeStepTitle(form.title, makeInitialState(form))}
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
              {chosen
                ? replacePlaceholders(shared.chosenLead, { program: chosen.name })
                : page.lead}
            </p>
            {facts.length > 0 && (
              <>
                <ul className={styles.facts}>
                  {facts.map((fact) => (
                    <li key={fact}>{fact}</li>
                  ))}
                </ul>
                <p className={styles.small}>{shared.figuresNote}</p>
              </>
            )}
          </div>
          <HeroPicture
            area={area}
            alt={page.picture}
            photograph={context.assets.pictures?.photographs[area]}
          />
        </div>
        <section className={styles.form} id={formSectionId} aria-label="Your request">
          {!isGeneral && isOnStep1 && (
            <ProgramPicker path={path} programs={programs} chosen={chosen} />
          )}
          <EnquiryIsland form={form} script={context.assets.formScript} />
          {!isSent && (
            <>
              <UnhydratedField name={attributionField} value={attribution} />
              <UnhydratedField name="visit" value={form.posted?.enquiry.visit ?? ''} />
            </>
          )}
          {notToSell && <DoNotSellNote school={names.school} />}
        </section>
      </div>
      <FigureSection heading={headings.figures} figures={page.figures} note={shared.figuresNote} />
      {isGeneral ? (
        <AreaCards texts={texts} programs={catalogue} />
      ) : (
        <ProgramLists
          heading={replacePlaceholders(headings.programs, { area: page.name })}
          area={area}
          programs={programs}
          chosen={chosen}
        />
      )}
      <SellingPointSection heading={headings.reasons} reasons={page.reasons} />
      <FaqSection heading={headings.questions} questions={shared.questions} />
    </Document>
  )
}

/** Fills in the number of programs. Without programs, facts about the number are left out. */
const fillFacts = (facts: readonly string[], count: number): string[] =>
  facts
    .filter((fact) => count > 0 || !fact.includes('{programs}'))
    .map((fact) =>
      replacePlaceholders(fact, { programs: `${count} ${count === 1 ? 'program' : 'programs'}` }),
    )

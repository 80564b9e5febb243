import { Fragment } from 'react'
import { type Accreditor, replacePlaceholders } from '#content/site-texts.ts'
import { attributionField, disclosureField } from '#contract/api-constants.ts'
import { areaPath } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { toLowerLabel } from '#domain/text/formats.ts'
import { type EnquiryProps, makeInitialState } from '../enquiry/form-state.ts'
import { makeStepTitle } from '../enquiry/step-title.ts'
import { Document, type PageContext } from '../shell/document.tsx'
import {
  DoNotSellNote,
  EnquiryIsland,
  type LinkedProgram,
  LinkedProgramNote,
  UnhydratedField,
} from './enquiry-island.tsx'
import { HeroPicture } from './hero.tsx'
import styles from './landing-page.module.css'
import { ProgramData } from './program-data.tsx'
import { formSectionId, MarketingBlock } from './sections.tsx'

export interface LandingPageProps {
  context: PageContext
  form: EnquiryProps
  attribution: string
  notToSell: boolean
  catalogue: readonly Program[]
  /** The program in the page's URL; undefined if the URL has none. */
  linked?: LinkedProgram | undefined
}

/** The space between two sentences, such as “Start your degree. Keep your job.” */
const sentenceEnd = /(?<=\.) /

/** The form wrapper page (section 2): hero, form and marketing block. The shell adds the footer. */
export function LandingPage({
  context,
  form,
  attribution,
  notToSell,
  catalogue,
  linked,
}: LandingPageProps) {
  const { area, programs } = form
  const { names, texts } = context
  const page = texts.areas[area]
  const { shared } = texts
  const path = areaPath(area)
  const chosen = linked?.kind === 'offered' ? linked.program : undefined
  const isGeneral = area === 'general'
  const count = (isGeneral ? catalogue : programs).length
  const facts = fillFacts(page.facts, count)
  const isOnStep1 = (form.posted?.enquiry.step ?? 0) === 0
  const leadsToForm = linked !== undefined && form.posted === undefined
  const photograph = context.assets.pictures?.photographs[area]
  const picture = <HeroPicture area={area} alt={page.picture} photograph={photograph} />
  return (
    <Document
      context={context}
      title={makeStepTitle(form.title, makeInitialState(form))}
      description={page.lead}
      path={path}
      area={area}
      hasForm
    >
      <div className={styles.stage}>
        {/* While the page arrives, nothing may move: a photograph is above the words, a scene below them. */}
        {photograph && picture}
        <div className={styles.words}>
          <hgroup>
            <p className={styles.eyebrow}>{page.title}</p>
            <h1 className={styles.headline}>
              {page.headline.split(sentenceEnd).map((sentence, index) => (
                <Fragment key={sentence}>
                  {index > 0 && ' '}
                  <span>{sentence}</span>
                </Fragment>
              ))}
            </h1>
          </hgroup>
          <p className={styles.lead}>
            {chosen ? replacePlaceholders(shared.chosenLead, { program: chosen.name }) : page.lead}
          </p>
          <div className={styles.proof}>
            {facts.length > 0 && (
              <ul className={styles.facts}>
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            )}
            {count > 0 && (
              <p>
                <ProgramsLink area={isGeneral ? undefined : page.name} count={count} />
              </p>
            )}
          </div>
          <p className={styles.address}>Request information at {context.siteOrigin + path}</p>
        </div>
        {!photograph && picture}
        <section
          className={styles.form}
          id={formSectionId}
          aria-label="Your request"
          tabIndex={leadsToForm ? -1 : undefined}
          // biome-ignore lint/a11y/noAutofocus: a link to a program leads to the form, also without its fragment
          autoFocus={leadsToForm}
        >
          {linked && isOnStep1 && (
            <LinkedProgramNote linked={linked} nameOf={(area) => texts.areas[area].name} />
          )}
          <EnquiryIsland form={form} script={context.assets.formScript} />
          {/* The thank-you page has the fields, too, because the visitor may go back from it to the form. */}
          <UnhydratedField name={attributionField} value={attribution} />
          <UnhydratedField name={disclosureField} value={form.disclosure.id} />
          <UnhydratedField name="visit" value={form.posted?.enquiry.visit ?? ''} />
          {notToSell && <DoNotSellNote school={names.school} />}
        </section>
        {shared.accreditor && <AccreditorLine accreditor={shared.accreditor} />}
      </div>
      <MarketingBlock
        area={area}
        texts={texts}
        programs={programs}
        catalogue={catalogue}
        chosen={chosen}
      />
      {!isGeneral && <ProgramData context={context} area={area} programs={programs} />}
    </Document>
  )
}

/** Leads to the list of programs. On a phone, "14 programs" has room beside a fact. @param area the area's name */
function ProgramsLink({ area, count }: { area: string | undefined; count: number }) {
  const name = area && toLowerLabel(area)
  return (
    <a href="#programs">
      <span className={styles.long}>See all </span>
      {count} {name && <span className={styles.long}>{name} </span>}
      {count === 1 ? 'program' : 'programs'}
    </a>
  )
}

function AccreditorLine({ accreditor: { name, since, logo, url } }: { accreditor: Accreditor }) {
  return (
    <p className={styles.accreditor}>
      {logo ? (
        <img src={logo.src} alt="" width={logo.width} height={logo.height} />
      ) : (
        <svg viewBox="0 0 36 36" aria-hidden="true">
          <path d={seal} fill="currentColor" fillRule="evenodd" />
        </svg>
      )}
      <span>
        Accredited by {url === undefined ? name : <a href={url}>{name}</a>}
        {since !== undefined && ` since ${since}`}
      </span>
    </p>
  )
}

const seal =
  'M18 0a18 18 0 1 1 0 36 18 18 0 0 1 0-36m0 2a16 16 0 1 0 0 32 16 16 0 0 0 0-32m0 3.5a12.5 12.5 0 1 1 0 25 12.5 12.5 0 0 1 0-25m6.5 7.8-2.1-2.1-6.6 6.7-3-3-2.1 2.1 5.1 5.1z'

/** Fills in the number of programs. Without programs, facts about the number are left out. */
const fillFacts = (facts: readonly string[], count: number): string[] =>
  facts
    .filter((fact) => count > 0 || !fact.includes('{programs}'))
    .map((fact) =>
      replacePlaceholders(fact, { programs: `${count} ${count === 1 ? 'program' : 'programs'}` }),
    )

import type { ReactNode } from 'react'
import { degreeLabels } from '#content/messages.ts'
import type { SellingPoint, SharedTexts, SiteTexts, SourcedFigure } from '#content/site-texts.ts'
import { type Area, areaPath, areas } from '#domain/area.ts'
import {
  findAreaPrograms,
  groupProgramsByDegree,
  type Program,
} from '#domain/catalogue/catalogue.ts'
import { HtmlText } from '../shell/document.tsx'
import { PageLink } from '../shell/header-and-footer.tsx'
import styles from './sections.module.css'

export const formSectionId = 'request'

/** The link that starts an area's form with a program. */
export const programPath = (area: Area, id: number): string =>
  `${areaPath(area)}?program=${id}#${formSectionId}`

interface SectionProps {
  id: string
  heading: string
  /** The `deep` background sets lists of links off from text. */
  background?: 'page' | 'deep'
  children: ReactNode
}

function Section({ id, heading, background = 'page', children }: SectionProps) {
  return (
    <section className={styles[background]} aria-labelledby={id}>
      <h2 className={styles.heading} id={id}>
        {heading}
      </h2>
      {children}
    </section>
  )
}

/** Leads up to the form, which on phones is several screens above the end of a long section. */
const FormLink = () => (
  <p className={styles.link}>
    <a href={`#${formSectionId}`}>Go to the form</a>
  </p>
)

interface FigureSectionProps {
  heading: string
  figures: readonly SourcedFigure[]
  note: string
}

export function FigureSection({ heading, figures, note }: FigureSectionProps) {
  return (
    <Section id="figures" heading={heading}>
      <dl className={styles.figures}>
        {figures.map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{note}</p>
    </Section>
  )
}

export function AreaCards({ texts, programs }: { texts: SiteTexts; programs: readonly Program[] }) {
  return (
    <Section id="areas" heading={texts.shared.headings.areas} background="deep">
      <ul className={styles.areas}>
        {areas
          .filter((area) => area !== 'general')
          .map((area) => (
            // Each card has the colors of the area that it links to.
            <li key={area} data-area={area}>
              <a href={areaPath(area)}>
                <strong>{texts.areas[area].name}</strong>{' '}
                <span>{countByDegree(findAreaPrograms(programs, area))}</span>
              </a>
            </li>
          ))}
      </ul>
      <FormLink />
    </Section>
  )
}

/** Returns a text such as "10 bachelor’s, 17 master’s, 1 certificate". */
const countByDegree = (programs: readonly Program[]): string =>
  groupProgramsByDegree(programs)
    .map(({ degreeType, programs }) => degreeLabels[degreeType].counted(programs.length))
    .join(', ')

interface ProgramListsProps {
  heading: string
  area: Area
  programs: readonly Program[]
  /** The program in the page's URL. In the list, this program has no link. */
  chosen: Program | undefined
}

export function ProgramLists({ heading, area, programs, chosen }: ProgramListsProps) {
  return (
    <Section id="programs" heading={heading} background="deep">
      <div className={styles.degrees}>
        {groupProgramsByDegree(programs).map(({ degreeType, programs }) => (
          <div key={degreeType}>
            <h3 className={styles.degree}>
              {degreeLabels[degreeType].plural} <span>{programs.length}</span>
            </h3>
            <ul className={styles.programs}>
              {programs.map(({ id, name }) => (
                <li key={id}>
                  <PageLink
                    href={programPath(area, id)}
                    path={chosen && programPath(area, chosen.id)}
                  >
                    {name}
                  </PageLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <FormLink />
    </Section>
  )
}

/** Shows the marketing block (section 2): tuition, outcomes, accreditation and mentors. */
export function SellingPointSection({
  heading,
  reasons,
}: {
  heading: string
  reasons: readonly SellingPoint[]
}) {
  return (
    <Section id="reasons" heading={heading}>
      <ul className={styles.reasons}>
        {reasons.map(({ topic, heading, text }) => (
          <li key={topic}>
            <p>{topic}</p>
            <h3>{heading}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function FaqSection({
  heading,
  questions,
}: Pick<SharedTexts, 'questions'> & { heading: string }) {
  return (
    <Section id="questions" heading={heading}>
      <div className={styles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <HtmlText as="p" html={answer} />
          </details>
        ))}
      </div>
      <FormLink />
    </Section>
  )
}

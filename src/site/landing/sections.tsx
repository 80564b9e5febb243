import type { ReactNode } from 'react'
import { degreeLabels, formLinkTexts } from '#content/messages.ts'
import {
  type Quote,
  replacePlaceholders,
  type SellingPoint,
  type SharedTexts,
  type SiteTexts,
} from '#content/site-texts.ts'
import { type Area, areaPath, fieldAreas } from '#domain/area.ts'
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

interface MarketingBlockProps {
  area: Area
  texts: SiteTexts
  programs: readonly Program[]
  catalogue: readonly Program[]
  /** The program in the page's URL. In the list, this program has no link. */
  chosen: Program | undefined
}

/** The marketing block (section 2): everything below the form. */
export function MarketingBlock({ area, texts, programs, catalogue, chosen }: MarketingBlockProps) {
  const { name, reasons, quote } = texts.areas[area]
  const { headings } = texts.shared
  return (
    <>
      <ReasonSection heading={headings.reasons} reasons={reasons} note={texts.shared.figuresNote} />
      {quote && <QuoteBand {...quote} />}
      {area === 'general' ? (
        <Section id="programs" heading={headings.areas} className={styles.deep}>
          <AreaCards
            texts={texts}
            anchor="#programs"
            describe={(area) => countByDegree(findAreaPrograms(catalogue, area))}
          />
        </Section>
      ) : (
        <ProgramLists
          heading={replacePlaceholders(headings.programs, { area: name })}
          area={area}
          programs={programs}
          chosen={chosen}
        />
      )}
      <QuestionSection {...texts.shared} />
    </>
  )
}

interface SectionProps {
  id: string
  heading: string
  className?: string | undefined
  children: ReactNode
}

function Section({ id, heading, className = styles.page, children }: SectionProps) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 className={styles.heading} id={id}>
        {heading}
      </h2>
      {children}
    </section>
  )
}

interface ReasonSectionProps {
  heading: string
  reasons: readonly SellingPoint[]
  note: string
}

/** Shows tuition, outcomes, accreditation and mentors, each under the school's claim (section 2). */
function ReasonSection({ heading, reasons, note }: ReasonSectionProps) {
  return (
    <Section id="reasons" heading={heading}>
      <ul className={styles.reasons}>
        {reasons.map(({ topic, figure, heading, text }) => (
          <li key={topic}>
            <p className={styles.figure}>
              {figure ? (
                <>
                  <strong>
                    {figure.before && <small>{figure.before} </small>}
                    {figure.figure}
                  </strong>{' '}
                  <span>{figure.label}</span>
                </>
              ) : (
                <span>{topic}</span>
              )}
            </p>
            <h3>{heading}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {reasons.some(({ figure }) => figure) && <p className={styles.note}>{note}</p>}
    </Section>
  )
}

function QuoteBand({ text, name, role }: Quote) {
  return (
    <div className={styles.quote}>
      <figure>
        <blockquote>“{text}”</blockquote>
        <figcaption>
          <strong>{name}</strong>
          {role && `, ${role}`}
        </figcaption>
      </figure>
      <a href={`#${formSectionId}`}>{formLinkTexts.form}</a>
    </div>
  )
}

interface AreaCardsProps {
  texts: SiteTexts
  /** The part of the areas' pages that the cards lead to, such as `#programs`. */
  anchor?: string
  className?: string | undefined
  describe: (area: Area) => string
}

/** Links to the areas' pages. Each card has the colors of the area that it links to. */
export const AreaCards = ({ texts, anchor = '', className = '', describe }: AreaCardsProps) => (
  <ul className={`${styles.areas} ${className}`.trim()}>
    {fieldAreas.map((area) => (
      <li key={area} data-area={area}>
        <a href={areaPath(area) + anchor}>
          <strong>{texts.areas[area].name}</strong> <span>{describe(area)}</span>
        </a>
      </li>
    ))}
  </ul>
)

const countByDegree = (programs: readonly Program[]): string =>
  groupProgramsByDegree(programs)
    .map(({ degreeType, programs }) => degreeLabels[degreeType].counted(programs.length))
    .join(', ')

interface ProgramListsProps extends Pick<MarketingBlockProps, 'area' | 'programs' | 'chosen'> {
  heading: string
}

function ProgramLists({ heading, area, programs, chosen }: ProgramListsProps) {
  return (
    <Section id="programs" heading={heading} className={styles.deep}>
      <div className={styles.degrees}>
        {groupProgramsByDegree(programs).map(({ degreeType, programs }) => (
          <div key={degreeType}>
            <h3>{degreeLabels[degreeType].plural}</h3>
            <ul>
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
    </Section>
  )
}

function QuestionSection({ headings, questions, telephone }: SharedTexts) {
  return (
    <Section id="questions" heading={headings.questions} className={styles.ask}>
      <div className={styles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>{question}</summary>
            <HtmlText as="p" html={answer} />
          </details>
        ))}
      </div>
      <p className={styles.link}>
        <a href={`#${formSectionId}`}>{formLinkTexts.form}</a>
        {telephone && (
          <span>
            {formLinkTexts.call} <a href={telephone.href}>{telephone.number}</a>
          </span>
        )}
      </p>
    </Section>
  )
}

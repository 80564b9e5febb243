import { degreeWords } from '#content/degrees.ts'
import { type Area, areaPath } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { programsByDegree } from '#domain/catalogue/catalogue.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Section } from '../section/section.tsx'
import styles from './program-lists.module.css'

interface ProgramListsProps {
  heading: string
  area: Area
  programs: readonly Program[]
  /** Who is on its page already has no link to it. */
  chosen: Program | undefined
}

/** What the area offers, by degree. Each program leads to the form, which then has it chosen. */
export function ProgramLists({ heading, area, programs, chosen }: ProgramListsProps) {
  const path = areaPath(area)
  return (
    <Section id="programs" heading={heading} ground="deep">
      <div className={styles.degrees}>
        {programsByDegree(programs).map(({ degreeType, programs }) => (
          <div key={degreeType}>
            <h3 className={styles.degree}>
              {degreeWords[degreeType].plural} <span>{programs.length}</span>
            </h3>
            <ul className={styles.programs}>
              {programs.map(({ id, name }) => (
                <li key={id}>
                  <PageLink
                    href={`${path}?program=${id}`}
                    path={chosen && `${path}?program=${chosen.id}`}
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

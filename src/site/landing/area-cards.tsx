import { areaPages } from '#content/area-pages.ts'
import { degreeWords } from '#content/degrees.ts'
import { landingHeadings } from '#content/landing-words.ts'
import { areaPath, areas } from '#domain/area.ts'
import { ownPrograms } from '#domain/catalogue/offered-programs.ts'
import type { Program } from '#domain/catalogue/program.ts'
import { programsByDegree } from '#domain/catalogue/programs-by-degree.ts'
import styles from './area-cards.module.css'
import { Section } from './section.tsx'

/** The way from the general page to each area's, with how much there is to study. */
export function AreaCards({ programs }: { programs: readonly Program[] }) {
  return (
    <Section id="areas" heading={landingHeadings.areas} ground="deep">
      <ul className={styles.areas}>
        {areas
          .filter((area) => area !== 'general')
          .map((area) => (
            // Each in its own colors.
            <li key={area} data-area={area}>
              <a href={areaPath(area)}>
                <strong>{areaPages[area].name}</strong>{' '}
                <span>{counts(ownPrograms(programs, area))}</span>
              </a>
            </li>
          ))}
      </ul>
    </Section>
  )
}

/** Such as "10 bachelor’s, 17 master’s, 1 certificate". */
const counts = (programs: readonly Program[]): string =>
  programsByDegree(programs)
    .map(({ degreeType, programs }) => degreeWords[degreeType].counted(programs.length))
    .join(', ')

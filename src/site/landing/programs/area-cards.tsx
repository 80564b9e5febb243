import { degreeWords } from '#content/degrees.ts'
import type { SiteWords } from '#content/site-words.ts'
import { areaPath, areas } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { ownPrograms, programsByDegree } from '#domain/catalogue/catalogue.ts'
import { Section } from '../section/section.tsx'
import styles from './area-cards.module.css'

interface AreaCardsProps {
  words: SiteWords
  programs: readonly Program[]
}

/** The way from the general page to each area's, with how much there is to study. */
export function AreaCards({ words, programs }: AreaCardsProps) {
  return (
    <Section id="areas" heading={words.shared.headings.areas} ground="deep">
      <ul className={styles.areas}>
        {areas
          .filter((area) => area !== 'general')
          .map((area) => (
            // Each in its own colors.
            <li key={area} data-area={area}>
              <a href={areaPath(area)}>
                <strong>{words.areas[area].name}</strong>{' '}
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

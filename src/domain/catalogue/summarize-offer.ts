import { type Area, areas } from '../area.ts'
import { educationLevels } from './degree-level.ts'
import { offerPrograms, ownPrograms, programsOfArea } from './offered-programs.ts'
import type { Program } from './program.ts'

/** What an area's page offers, for the operator. */
export interface AreaOffer {
  readonly area: Area
  /** Its own: without any its page offers the general one's. */
  readonly programs: number
  readonly featured: number
  /** Names of the education levels that the rule leaves nothing: their visitors are offered the whole area (reading 2). */
  readonly wholeAreaFor: readonly string[]
}

export const summarizeOffer = (catalogue: readonly Program[]): readonly AreaOffer[] =>
  areas.map((area) => {
    const own = ownPrograms(catalogue, area)
    const ofArea = programsOfArea(catalogue, area)
    const fallBack = educationLevels.filter(({ id }) => offerPrograms(ofArea, id).wholeArea)
    return {
      area,
      programs: own.length,
      featured: own.filter(({ active }) => active).length,
      wholeAreaFor: fallBack.map(({ name }) => name),
    }
  })

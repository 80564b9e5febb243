import type { Program } from '../catalogue/catalogue.ts'
import { offerPrograms } from '../catalogue/catalogue.ts'
import type { Answers } from './answers.ts'
import type { Facts } from './rules/rules.ts'

/**
 * What the rules need to know while a form is being filled: only a program that its list shows may be chosen.
 * @param ofArea the area's programs: see `programsOfArea`
 */
export function formFacts(
  ofArea: readonly Program[],
  currentYear: number,
  answers: Answers,
): Facts {
  const { programs } = offerPrograms(ofArea, Number(answers.previousEducation))
  return { currentYear, isOffered: (id) => programs.some((program) => String(program.id) === id) }
}

import { type Enquiry, newEnquiry, noAnswers, uncheckedAddress } from '#domain/enquiry/enquiry.ts'
import { steps } from '#domain/enquiry/steps.ts'

/**
 * The draft that another page of this tab has left; undefined where it is none that can be gone on with. What it lacks is
 * as in a new enquiry: a version of before may have left it. Read by hand, as the schemas come later than this is needed.
 */
export function readDraft(stored: string | null): Enquiry | undefined {
  // Catching an error costs a slow phone 10 ms, and a fresh page has no draft.
  if (!stored) return undefined
  try {
    const { step, answers, addressCheck, standing, ...rest } = JSON.parse(stored)
    if (!Number.isInteger(step) || !steps[step]) return undefined
    return {
      ...newEnquiry,
      ...texts({ key: '', askedAbout: '' }, rest),
      step,
      answers: texts(noAnswers, answers),
      // 0.2 calls it `standing`: a tab that was open during the upgrade has it so.
      addressCheck: texts(uncheckedAddress, addressCheck ?? standing),
    }
  } catch {
    return undefined
  }
}

/** The stored texts for those of the pattern; nothing else that may have been stored. */
function texts<Pattern extends object>(pattern: Pattern, stored: Record<string, unknown>): Pattern {
  const read = Object.entries(pattern).map(([name, text]) => {
    const value = stored[name]
    return [name, typeof value === 'string' ? value : text]
  })
  return Object.fromEntries(read)
}

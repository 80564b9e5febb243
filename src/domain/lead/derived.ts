import type { Program } from '../catalogue/catalogue.ts'

const ageAtGraduation = 18

/** Current year minus graduating year plus 18. */
export const ageFrom = (currentYear: number, graduatingYear: number): number =>
  currentYear - graduatingYear + ageAtGraduation

/** A program's type asserts a licence, so types are given sparingly (reading 5). */
export const rnLicense = (program: Program): 'TRUE' | 'FALSE' =>
  program.types.includes('Healthcare') ? 'TRUE' : 'FALSE'

export const teachingLicense = (program: Program): 'Yes' | 'No' =>
  program.types.includes('Education') ? 'Yes' : 'No'

/** An IP service that does not know the address says so in words that vary ("Not found", "IP Not found"; reading 9). */
export const ipToSend = (looked: string, fallbackIp: string): string =>
  /not found/i.test(looked) ? fallbackIp : looked

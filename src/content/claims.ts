/** A figure that pages may state. It stands here once, with where it comes from; pages refer to it. */
export interface Claim {
  readonly text: string
  readonly source: string
  /** When the figure was given to us: year and month. */
  readonly asOf: string
}

const source = 'Stated by the school; specification, section 9'
const asOf = '2026-11'

/** What a page says below its claims. */
export const claimsNote = `Figures as stated by the school, ${inWords(asOf)}.`

export const claims = {
  tuition: { text: 'about $8,010 per year', source, asOf },
  keepWorking: { text: '79% of students', source, asOf },
  salaryIncrease: { text: '$22,200', source, asOf },
  /** The technology copy's own figure. */
  salaryIncreaseTechnology: { text: '$22,000', source, asOf },
  employerSatisfaction: { text: '99% of employers', source, asOf },
} as const satisfies Record<string, Claim>

function inWords(yearAndMonth: string): string {
  return new Date(yearAndMonth).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

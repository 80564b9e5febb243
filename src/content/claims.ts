/** A figure that pages may state. It stands here once, with where it comes from; pages refer to it. */
export interface Claim {
  readonly text: string
  readonly source: string
}

const source = 'Stated by the school; specification, section 9'

/** What a page says below its claims. Nobody has told us of which year they are. */
export const claimsNote = 'Figures as stated by the school. Your own result can differ.'

export const claims = {
  tuition: { text: 'about $8,010 per year', source },
  keepWorking: { text: '79% of students keep working', source },
  salaryIncrease: { text: '$22,200', source },
  /** The technology copy's own figure. */
  salaryIncreaseTechnology: { text: '$22,000', source },
  employerSatisfaction: { text: '99%', source },
} as const satisfies Record<string, Claim>

/** A figure that pages may state. It stands here once, with where it comes from; pages refer to it. */
export interface Claim {
  /** As a sentence has it. */
  readonly text: string
  /** As it stands large, over its label. */
  readonly figure: string
  readonly label: string
  readonly source: string
}

const source = 'Stated by the school; specification, section 9'

/** What a page says below its figures. Nobody has told us of which year they are. */
export const claimsNote = 'Figures as stated by the school. Your own result can differ.'

export const claims = {
  tuition: {
    text: 'about $8,010 per year',
    figure: '$8,010',
    label: 'tuition per year, about',
    source,
  },
  keepWorking: {
    text: '79% of students keep working',
    figure: '79%',
    label: 'of students keep working',
    source,
  },
  salaryIncrease: {
    text: '$22,200',
    figure: '$22,200',
    label: 'average salary increase',
    source,
  },
  /** The technology copy's own figure. */
  salaryIncreaseTechnology: {
    text: '$22,000',
    figure: '$22,000',
    label: 'average salary increase',
    source,
  },
  employerSatisfaction: { text: '99%', figure: '99%', label: 'employer satisfaction', source },
} as const satisfies Record<string, Claim>

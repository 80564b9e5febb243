import type { Area } from '#domain/area.ts'
import type { AreaColors } from './area-colors.ts'
import type { Inline } from './inline.ts'
import type { LegalPage } from './legal/legal-page.ts'
import type { LegalPath } from './legal/legal-paths.ts'

/** The operator's words and colors, as the files of `content/` have them, with the names of the settings filled in. */
export interface SiteWords {
  readonly areas: Readonly<Record<Area, AreaWords>>
  readonly shared: SharedWords
  readonly legal: Readonly<Record<LegalPath, LegalPage>>
}

/** A landing page's. */
export interface AreaWords {
  /** Short, as a link to the page has it. */
  readonly name: string
  readonly title: string
  readonly headline: string
  readonly lead: string
  /** What the picture shows. */
  readonly picture: string
  readonly colors: AreaColors
  /** Short lines beside the form; `{programs}` stands for the number of programs. */
  readonly facts: readonly string[]
  /** The school at a glance. */
  readonly figures: readonly Claim[]
  readonly reasons: readonly Reason[]
}

/** One part of the marketing block: tuition, outcomes, accreditation or mentors (section 2). */
export interface Reason {
  readonly topic: string
  readonly heading: string
  readonly text: string
}

/** A figure that pages may state, with where it comes from. */
export interface Claim {
  /** As it stands large, over its label. */
  readonly figure: string
  readonly label: string
  /** As a sentence has it. */
  readonly text: string
  readonly source: string
  /** The day on which the source was looked at: YYYY-MM-DD. */
  readonly checked: string
}

/** What all landing pages have. */
export interface SharedWords {
  readonly logo: Logo | undefined
  readonly headings: {
    readonly figures: string
    readonly areas: string
    /** With `{area}` in it. */
    readonly programs: string
    readonly reasons: string
    readonly questions: string
  }
  readonly figuresNote: string
  /** In place of the lead, for who has chosen a program in its list; with `{program}` in it. */
  readonly chosenLead: string
  /** Below the form's buttons. */
  readonly promise: readonly Inline[]
  readonly questions: readonly Question[]
}

/** What people want to know before they leave a phone number. */
export interface Question {
  readonly question: string
  readonly answer: readonly Inline[]
}

export interface Logo {
  /** A `data:` address. */
  readonly src: string
  readonly width: number
  readonly height: number
  /** The school's name is in the picture, and not beside it. */
  readonly hasName: boolean
}

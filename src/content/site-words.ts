import type { Area } from '#domain/area.ts'
import type { AreaColors } from './colors.ts'

/** Made from the operator's Markdown, which has no HTML of its own: paragraphs, lists, links and strong words. */
export interface Html {
  readonly html: string
}

/** Where the legal pages lie (section 2). Their titles and texts are the operator's. */
export const legalPaths = [
  '/information/privacy-policy',
  '/information/terms-conditions',
  '/information/privacy-rights-request',
] as const

export type LegalPath = (typeof legalPaths)[number]

/** A static page's text (reading 19). */
export interface LegalPage {
  readonly title: string
  /** One sentence for search engines. */
  readonly description: string
  /** The date as printed on the page, for example 2/21/2021. */
  readonly lastUpdated: string | undefined
  readonly introduction: Html
  readonly sections: readonly LegalSection[]
}

export interface LegalSection {
  /** The anchor that the table of contents links to. */
  readonly id: string
  readonly heading: string
  readonly body: Html
}

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
  /** Describes the picture. */
  readonly picture: string
  readonly colors: AreaColors
  /** Short lines beside the form; `{programs}` is replaced by the number of programs. */
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
  /** The figure in large type, above its label. */
  readonly figure: string
  readonly label: string
  /** The figure inside a sentence. */
  readonly text: string
  readonly source: string
  /** The day on which the source was looked at: YYYY-MM-DD. */
  readonly checked: string
}

/** Texts shared by all landing pages. */
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
  /** Replaces the lead text once a program is chosen in the list; contains `{program}`. */
  readonly chosenLead: string
  /** Below the form's buttons. */
  readonly promise: Html
  readonly questions: readonly Question[]
}

/** The common questions of people who are about to leave a phone number. */
export interface Question {
  readonly question: string
  readonly answer: Html
}

export interface Logo {
  /** A `data:` address. */
  readonly src: string
  readonly width: number
  readonly height: number
  /** The school's name is in the picture, and not beside it. */
  readonly hasName: boolean
}

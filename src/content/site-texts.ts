import type { Area } from '#domain/area.ts'
import type { AreaColors } from './colors.ts'

/** HTML that the server makes from the operator's Markdown: only paragraphs, lists, links and strong text. */
export interface Html {
  readonly html: string
}

/** The paths of the legal pages (section 2). */
export const legalPaths = [
  '/information/privacy-policy',
  '/information/terms-conditions',
  '/information/privacy-rights-request',
] as const

export type LegalPath = (typeof legalPaths)[number]

export interface LegalPageTexts {
  readonly title: string
  readonly description: string
  /** The date as printed on the page, for example 2/21/2021. */
  readonly lastUpdated: string | undefined
  readonly introduction: Html
  readonly sections: readonly {
    readonly id: string
    readonly heading: string
    readonly body: Html
  }[]
}

/** The operator's texts and colors from the files of `content/`, with the names from the settings filled in. */
export interface SiteTexts {
  readonly areas: Readonly<Record<Area, AreaTexts>>
  readonly shared: SharedTexts
  readonly legal: Readonly<Record<LegalPath, LegalPageTexts>>
}

export interface AreaTexts {
  readonly name: string
  readonly title: string
  readonly headline: string
  readonly lead: string
  readonly picture: string
  /** The point of the photograph that every window shows, such as `38% 40%`; undefined for the middle. */
  readonly pictureFocus: string | undefined
  readonly colors: AreaColors
  /** Short lines beside the form. `{programs}` becomes, for example, “12 programs”. */
  readonly facts: readonly string[]
  readonly reasons: readonly SellingPoint[]
  /** The page's own quotation, or else the one of `content/site.yaml`. */
  readonly quote: Quote | undefined
}

/** One part of the marketing block: tuition, outcomes, accreditation or mentors (section 2). */
export interface SellingPoint {
  readonly topic: string
  /** The claim that the page shows in large type above the heading. */
  readonly figure: SourcedFigure | undefined
  readonly heading: string
  readonly text: string
}

/** A figure that pages may state, and its source. */
export interface SourcedFigure {
  /** The figure in large type, beside its label. */
  readonly figure: string
  /** A small word before the figure, such as `about`. */
  readonly before?: string | undefined
  readonly label: string
  /** The words that state the figure in a sentence, such as `about $8,010 per year`. */
  readonly text: string
  readonly source: string
  /** The day on which the operator checked the source: YYYY-MM-DD. */
  readonly checked: string
}

/**
 * What only a school can say about itself: optional keys of `content/site.yaml`. Pages leave out what is undefined.
 * Facts that an operator marked with `demo: true` never reach production (reading 6).
 */
export interface SchoolFacts {
  readonly accreditor?: Accreditor | undefined
  readonly telephone?: Telephone | undefined
  /** The time within which the school answers a request, such as `one business day`. */
  readonly responseTime?: string | undefined
  readonly quote?: Quote | undefined
  /** One or two sentences about the school's mentors. */
  readonly mentors?: string | undefined
  /** One or two sentences about the licenses that states require. */
  readonly licensing?: string | undefined
}

export interface Accreditor {
  /** The name as it stands in a sentence, such as `the Great Plains Commission on Colleges`. */
  readonly name: string
  /** The year of the first accreditation, such as `1998`. */
  readonly since?: string | undefined
  readonly logo?: Picture | undefined
  readonly url?: string | undefined
}

/** The school's number for people who ask about its programs. */
export interface Telephone {
  /** The number as people read it, such as `(800) 555-0142`. */
  readonly number: string
  /** The link to the number, such as `tel:+18005550142`. */
  readonly href: string
  /** The hours in which somebody answers, such as `Monday to Friday, 8 a.m. to 8 p.m. Central`. */
  readonly hours?: string | undefined
}

export interface Quote {
  /** The words, without quotation marks. */
  readonly text: string
  readonly name: string
  readonly role?: string | undefined
  /** The day on which the person agreed in writing to be quoted: YYYY-MM-DD. */
  readonly consent: string
}

export interface SharedTexts extends SchoolFacts {
  readonly logo?: Logo | undefined
  readonly headings: {
    readonly areas: string
    /** The heading above the programs; contains `{area}`. */
    readonly programs: string
    readonly reasons: string
    readonly questions: string
  }
  readonly figuresNote: string
  /** Replaces the page's `lead` if the page's URL names a program; contains `{program}`. */
  readonly chosenLead: string
  readonly promise: Html
  readonly disclosure: Disclosure
  readonly disclosureCovers: readonly ConsentChannel[]
  readonly questions: readonly { readonly question: string; readonly answer: Html }[]
}

/** The consent text (section 5) beside the form's box, as HTML with its links, and as the plain text of a consent. */
export interface Disclosure extends Html {
  readonly text: string
}

/** The ways of contacting a visitor that a disclosure can cover (reading 35). */
export const consentChannels = ['email', 'phone', 'text'] as const

export type ConsentChannel = (typeof consentChannels)[number]

/** A small picture that the page contains as a data URL. */
export interface Picture {
  readonly src: string
  readonly width: number
  readonly height: number
}

export interface Logo extends Picture {
  /** True if the logo contains the school's name; if false, the name appears beside the logo. */
  readonly hasName: boolean
}

/** Values of settings that replace placeholders in the site's texts. */
export interface SiteNames {
  readonly school: string
  readonly operator: string
  readonly privacyEmail: string
  readonly unsubscribeUrl: string
  /** The number of days after which the product erases answers; undefined if only operators erase answers. */
  readonly retentionDays?: number | undefined
}

/** The specification's disclosure (section 5), in Markdown: the default of `disclosure` in `content/site.yaml`. */
export const specifiedDisclosure =
  'I agree that {school} and its affiliates may email me, and I agree to its [privacy policy](/information/privacy-policy). I may opt out at any time.'

/** Returns the plain text of the specification's disclosure, which was the only one until release 0.3.0. */
export const makeSpecifiedDisclosureText = (school: string): string =>
  replacePlaceholders(specifiedDisclosure.replace(/\[([^[\]]+)\]\([^()]+\)/, '$1'), { school })

/** A placeholder is a name in braces, such as `{program}`, that a setting or a visitor's choice replaces. */
const placeholder = /\{([a-z-]+)\}/g

/** Fills in all placeholders in one pass, so that braces in a filled-in value do not count as a placeholder. */
export const replacePlaceholders = (
  text: string,
  values: Readonly<Record<string, string>>,
): string => text.replaceAll(placeholder, (whole, name: string) => values[name] ?? whole)

import * as v from 'valibot'
import type { Area, ProgramType } from '../area.ts'
import type { DegreeType, Program } from '../catalogue/catalogue.ts'
import type { Answers, Field } from '../enquiry/answers.ts'
import { normalizeLine } from '../enquiry/normalize-answers.ts'
import { parsePhoneNumber } from '../enquiry/phone.ts'
import {
  listAddressTerms,
  listEmailTerms,
  listNameTerms,
  maskAfterInitial,
  maskEmail,
  maskPhone,
  maskText,
  maskZip,
} from './personal-values.ts'

/** What becomes of an answer that a visitor has sent. */
interface StoredAnswer<Value, Sent extends string | null> {
  /** The schema of the stored value. A newer answer needs a default that is true for leads that were never asked. */
  readonly schema: v.GenericSchema<unknown, Value>
  /** Makes the stored value from the form's text; null if the text alone is not enough. */
  readonly read: ((text: string) => Value) | null
  /** How personal the value is; null if it identifies nobody, so that every operator may see it. */
  readonly personal: {
    readonly mask: (value: Value) => Value
    /** Lists the texts by which a link may name the person; null if many people share the value. */
    readonly listTerms: ((value: Value) => readonly string[]) | null
  } | null
  /** How the value is written where only a text, number or truth value can stand; absent if the value is one of them. */
  readonly toCell?: (value: Value) => string | number | boolean
  /** The column of exports. Operators' scripts know it, so it never changes. */
  readonly column: string
  /** The name in webhooks' calls, if it is another; null if webhooks get the value even without personal data. */
  readonly webhook?: string | null
  /** Where the distributor gets the value; null if its format has no place for the answer, or a fixed value (reading 7). */
  readonly sent: Sent
  /** The words that docs/privacy.md and the visitors' privacy policy use for the answer. */
  readonly called: string
}

const store = <Value, const Sent extends string | null>(answer: StoredAnswer<Value, Sent>) => answer

/** Makes the schema of a value that a visitor chose from a list. The list may have changed, so any text is valid. */
const makeTextSchema = <Word extends string>() =>
  v.custom<Word>((value) => typeof value === 'string')

export const programSchema: v.GenericSchema<unknown, Program> = v.object({
  id: v.number(),
  name: v.string(),
  active: v.boolean(),
  types: v.array(makeTextSchema<ProgramType>()),
  degreeType: makeTextSchema<DegreeType>(),
})

const line = { schema: v.string(), read: normalizeLine }
const trimmed = { schema: v.string(), read: (text: string) => text.trim() }
const wholeNumber = { schema: v.number(), read: Number, personal: null }
const personName = { ...line, personal: { mask: maskAfterInitial, listTerms: listNameTerms } }

/**
 * What becomes of each answer, in the order of the distributor's format. The answer `programId` is stored as `program`,
 * and the consent is stored as the lead's proof of consent.
 */
export const storedAnswers = {
  firstName: store({ ...personName, column: 'first_name', sent: 'lead.firstname', called: 'name' }),
  lastName: store({ ...personName, column: 'last_name', sent: 'lead.lastname', called: 'name' }),
  phone: store({
    schema: v.string(),
    /** Returns ten digits. */
    read: (text) => parsePhoneNumber(text) ?? '',
    // Links are searched for the digits of the phone number: see `makePersonalDataFinder`.
    personal: { mask: maskPhone, listTerms: null },
    column: 'phone',
    sent: 'lead.phone1',
    called: 'phone',
  }),
  email: store({
    ...line,
    personal: { mask: maskEmail, listTerms: listEmailTerms },
    column: 'email',
    sent: 'lead.email',
    called: 'email',
  }),
  address: store({
    ...line,
    personal: { mask: maskText, listTerms: listAddressTerms },
    column: 'street',
    webhook: 'street',
    sent: 'lead_address.address',
    called: 'street address',
  }),
  city: store({
    ...line,
    personal: { mask: maskText, listTerms: null },
    column: 'city',
    sent: 'lead_address.city',
    called: 'city',
  }),
  state: store({
    schema: v.string(),
    read: (text) => text.trim().toUpperCase(),
    personal: null,
    column: 'state',
    sent: 'lead_address.state',
    called: 'state',
  }),
  /** The ZIP's five digits, as typed (reading 12). */
  zip: store({
    ...trimmed,
    personal: { mask: maskZip, listTerms: null },
    column: 'zip',
    sent: 'lead_address.zip',
    called: 'ZIP code',
  }),
  graduatingYear: store({
    ...wholeNumber,
    column: 'graduating_year',
    sent: 'lead_education.grad_year',
    called: 'graduation year',
  }),
  educationLevel: store({
    ...wholeNumber,
    column: 'education_level_id',
    sent: 'lead_education.education_level_id',
    called: 'education level',
  }),
  /** The program as it was when the visitor chose it. */
  program: store({
    schema: programSchema,
    read: null,
    personal: null,
    toCell: ({ id }) => id,
    column: 'program_id',
    webhook: null,
    sent: 'lead_education.program_id',
    called: 'program',
  }),
  /** The start date that the visitor chose. The distributor receives a fixed id instead (reading 7). */
  startDate: store({
    ...trimmed,
    personal: null,
    column: 'start_date_id',
    webhook: 'startDateId',
    sent: null,
    called: 'start date',
  }),
} satisfies Readonly<
  Record<Exclude<Field, 'programId' | 'confirmation'> | 'program', { readonly column: string }>
>

type Definitions = typeof storedAnswers
export type StoredName = keyof Definitions

export type StoredAnswers = {
  readonly [Name in StoredName]: v.InferOutput<Definitions[Name]['schema']>
}

export const storedNames = Object.keys(storedAnswers) as readonly StoredName[]

/** The definition of an answer, for code that treats all answers alike. */
export const findStoredAnswer = (name: StoredName) =>
  storedAnswers[name] as unknown as StoredAnswer<unknown, string | null>

/** Makes what is stored of checked answers. @param program the chosen program */
export function toStoredAnswers(answers: Answers, program: Program): StoredAnswers {
  const values = storedNames.map((name) => [
    name,
    name === 'program' ? program : findStoredAnswer(name).read?.(answers[name]),
  ])
  return Object.fromEntries(values)
}

/** Returns the value as exports and the distributor get it. */
export const toCell = <Name extends StoredName>(name: Name, value: StoredAnswers[Name]) => {
  const { toCell: convert } = findStoredAnswer(name)
  return (convert ? convert(value) : value) as string | number | boolean | null
}

type SentFields<Group extends string> = {
  readonly [Name in StoredName as Definitions[Name]['sent'] extends `${Group}.${infer Key}`
    ? Key
    : never]: StoredAnswers[Name] extends Program ? number : StoredAnswers[Name]
}

/** Collects the answers in one group of the distributor's format, in the order of {@link storedAnswers}. */
export const collectSent = <const Group extends string>(group: Group, lead: StoredAnswers) =>
  Object.fromEntries(
    storedNames.flatMap((name) => {
      const [sentGroup, key] = findStoredAnswer(name).sent?.split('.') ?? []
      return sentGroup === group ? [[key, toCell(name, lead[name])]] : []
    }),
  ) as SentFields<Group>

/**
 * Returns the same text for all leads with the same answers (reading 23). What the browser, the address service or a link
 * adds may change although the answers stay the same.
 */
export function serializeContent({
  area,
  email,
  ...lead
}: StoredAnswers & { readonly area: Area }): string {
  const values = storedNames.map((name) => {
    const value = name === 'email' ? email.toLowerCase() : toCell(name, lead[name])
    return typeof value === 'string' ? normalizeLine(value) : value
  })
  return JSON.stringify([area, ...values])
}

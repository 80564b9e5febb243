import * as v from 'valibot'
import type { Picture, SchoolFacts, Telephone } from '#content/site-texts.ts'
import { makeLineSchema } from './parse-yaml.ts'
import { organizationPlaceholders } from './placeholders.ts'

/** `production` refuses facts that are marked as invented (reading 6). */
export type ContentMode = 'demo' | 'production'

/** Makes the schema of one fact, which may carry `demo: true` as long as its values are invented. */
const makeFactSchema = <Entries extends v.ObjectEntries>(
  name: string,
  entries: Entries,
  mode: ContentMode,
) =>
  v.pipe(
    v.strictObject({
      ...entries,
      demo: v.optional(v.picklist(['true'], 'is not true: leave it out for a fact of your own')),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || mode === 'demo') return
      const input: { readonly demo?: string } = dataset.value
      if (input.demo === undefined) return
      addIssue({
        message: `is true: the fact ${name} is invented, and production does not start with it. Write your own and remove this line, or remove all of ${name}`,
        path: [{ type: 'object', origin: 'value', input, key: 'demo', value: input.demo }],
      })
    }),
    v.transform(({ demo: _, ...fact }) => fact),
  )

const day = v.pipe(v.string(), v.isoDate('is not a day: write it like 2026-11-21'))

const httpsUrl = v.pipe(
  v.string(),
  v.check((text) => URL.parse(text)?.protocol === 'https:', 'is not an address with https://'),
)

/** A U.S. number, which a page shows as the operator writes it. */
const telephoneNumber = v.pipe(
  makeLineSchema(20),
  v.check(
    (text) => /^1?[2-9]\d{9}$/.test(digitsOf(text)),
    'is not a U.S. telephone number: write it like (800) 555-0142',
  ),
)

const digitsOf = (text: string): string => text.replaceAll(/[\s().+-]/g, '')

export const makeQuoteSchema = (mode: ContentMode) =>
  makeFactSchema(
    'quote',
    {
      text: v.pipe(
        makeLineSchema(200),
        v.regex(/^[^“"„]/, 'begins with a quotation mark, which the page adds: remove it'),
      ),
      name: makeLineSchema(40),
      role: v.optional(makeLineSchema(60)),
      consent: day,
    },
    mode,
  )

/** Makes the schema of a fact that is one or two sentences. */
export const makeSentencesSchema = (name: 'mentors' | 'licensing', mode: ContentMode) =>
  v.pipe(
    makeFactSchema(name, { text: makeLineSchema(200, organizationPlaceholders) }, mode),
    v.transform(({ text }) => text),
  )

/** Makes the schemas of the optional keys of `content/site.yaml` that become {@link SchoolFacts}. */
export const makeSchoolFactSchemas = (
  mode: ContentMode,
  pictureFile: v.GenericSchema<string, Picture>,
) => ({
  accreditor: v.optional(
    makeFactSchema(
      'accreditor',
      {
        name: makeLineSchema(60),
        since: v.optional(
          v.pipe(v.string(), v.regex(/^(1[89]|20)\d\d$/, 'is not a year: write it like 1998')),
        ),
        logo: v.optional(pictureFile),
        url: v.optional(httpsUrl),
      },
      mode,
    ),
  ),
  telephone: v.optional(
    v.pipe(
      makeFactSchema(
        'telephone',
        { number: telephoneNumber, hours: v.optional(makeLineSchema(60)) },
        mode,
      ),
      v.transform(
        (given): Telephone => ({
          ...given,
          href: `tel:+1${digitsOf(given.number).slice(-10)}`,
        }),
      ),
    ),
  ),
  'response-time': v.optional(
    v.pipe(
      makeFactSchema('response-time', { within: makeLineSchema(30) }, mode),
      v.transform(({ within }) => within),
    ),
  ),
  quote: v.optional(makeQuoteSchema(mode)),
  mentors: v.optional(makeSentencesSchema('mentors', mode)),
  licensing: v.optional(makeSentencesSchema('licensing', mode)),
})

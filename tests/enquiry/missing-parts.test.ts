import { expect, test } from 'vitest'
import { type Answers, answerDefinitions } from '#domain/enquiry/answers.ts'
import { type StoredAnswers, storedAnswers } from '#domain/lead/stored-answers.ts'
import type { Controls } from '#site/enquiry/form-state.ts'
import { lazyFormParts } from '#site/enquiry/lazy-form-parts.ts'

// These tests are for the compiler: it must report a definition with a missing part. Where it reports nothing, it
// reports the line with `@ts-expect-error`.
type Definition = typeof storedAnswers.city

test('the compiler reports a missing part of what becomes of an answer', () => {
  const { schema, read, personal, column, sent, called } = storedAnswers.city
  const whole: Definition = { schema, read, personal, column, sent, called }
  expect(whole).toEqual(storedAnswers.city)
  const parts: readonly Definition[] = [
    // @ts-expect-error: no schema
    { read, personal, column, sent, called },
    // @ts-expect-error: not how to read the text
    { schema, personal, column, sent, called },
    // @ts-expect-error: not whether it is personal
    { schema, read, column, sent, called },
    // @ts-expect-error: no column
    { schema, read, personal, sent, called },
    // @ts-expect-error: not whether the distributor gets it
    { schema, read, personal, column, called },
    // @ts-expect-error: not how privacy documents call it
    { schema, read, personal, column, sent },
  ]
  expect(parts).toHaveLength(6)
})

test('the compiler reports a missing answer, definition and control', () => {
  const { city, ...definitions } = answerDefinitions
  // @ts-expect-error: no city
  const answers: Readonly<Record<keyof typeof answerDefinitions, object>> = definitions
  const { zip, ...controls } = lazyFormParts.controls
  // @ts-expect-error: no control for the ZIP
  const rendered: Controls<'address'> = controls
  const { state, ...stored } = {} as StoredAnswers
  // @ts-expect-error: no state
  const lead: StoredAnswers = stored
  // @ts-expect-error: no answers
  const none: Answers = {}
  expect([answers, rendered, lead, none]).toHaveLength(4)
})

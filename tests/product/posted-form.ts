import { randomUUID } from 'node:crypto'
import type { Answers } from '#domain/enquiry/answers.ts'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'

export type Form = Readonly<Record<string, string>>

/** A completed form on its last step; the address check's result is in hidden fields. */
export const wholeForm = (changes: Form = {}): Form => ({
  step: '3',
  key: randomUUID(),
  checkedFor: '123 Main St|34236',
  checkedBy: 'check',
  zipPlus4: '34236-5610',
  ...answered(),
  ...changes,
})

const answered = (): Answers => ({
  ...exampleAnswers,
  firstName: 'Zoë',
  lastName: "O'Neill",
  email: `${randomUUID()}@example.com`,
  address: '123 Main St',
  programId: '1',
})

/** Posts a form as a browser without JavaScript does. A text is sent unchanged. */
export const postForm = (
  url: string,
  form: Form | string,
  { headers = {}, path = '/business' }: { headers?: Record<string, string>; path?: string } = {},
): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: url,
      ...headers,
    },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })

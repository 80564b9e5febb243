import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type Form, postForm, wholeForm } from '#tests/product/posted-form.ts'
import { sitePages } from '#tests/product/site-pages.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { htmlFaults } from './html-faults.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess()
})
afterAll(() => product.stop())

test.each([...sitePages, '/a/b'])('the page %s', async (path) => {
  expect(await htmlFaults(await fetch(product.url + path))).toEqual([])
})

const unanswered: Form = { educationLevel: '-1', graduatingYear: '', programId: '' }
const fresh: Form = { checkedFor: '', checkedBy: 'nobody', city: '', state: '' }
const byHand: Form = { address: '1 Palm Ave', zip: '99999', city: '', state: '' }

test.each<[string, Form, string]>([
  ['step 1, empty', { step: '0', firstName: '', phone: '', email: '' }, 'Enter your first name.'],
  ['step 1, slips', { step: '0', phone: '0415550100', email: 'ada@gmial.com' }, 'Did you mean'],
  ['step 2', { step: '0' }, 'Step 2 of 4'],
  ['step 2, empty', { step: '1', ...fresh, address: '', zip: '' }, 'Enter your ZIP code.'],
  ['step 2, a ZIP that does not exist', { step: '1', ...fresh, zip: '00000' }, 'Invalid zip code'],
  ['step 2, no street', { step: '1', ...fresh, address: 'Palm' }, 'Invalid address'],
  ['step 2, the service is down', { step: '1', ...fresh, zip: '99999' }, 'Error validating'],
  [
    'step 2, by hand, empty',
    { step: '1', ...byHand, checkedFor: '1 Palm Ave|99999', checkedBy: 'hand' },
    'Enter your city.',
  ],
  [
    'step 2, the street’s service is down',
    { step: '1', ...fresh, address: '1 Sandbox-503 St' },
    'Error validating',
  ],
  ['step 2, another street', { step: '1', ...fresh, address: '1 REPLACE St' }, 'Did you mean'],
  ['step 2, no unit', { step: '1', ...fresh, address: '1 NOUNIT St' }, 'Which apartment'],
  [
    'step 2, another street and no unit',
    { step: '1', ...fresh, address: '1 REPLACE NOUNIT St' },
    'Did you mean',
  ],
  ['step 2, an unknown street', { step: '1', ...fresh, address: '1 UNKNOWN St' }, 'right?'],
  ['step 3', { step: '1', ...unanswered }, 'Step 3 of 4'],
  ['step 3, empty', { step: '2', ...unanswered }, 'Choose your education level.'],
  ['step 4', { step: '2', programId: '', startDate: '', confirmation: '' }, 'Step 4 of 4'],
  ['step 4, empty', { programId: '', startDate: '', confirmation: '' }, 'Check the box'],
])('%s', async (_, changes, words) => {
  const reply = await postForm(product.url, wholeForm(changes))
  expect(await reply.clone().text()).toContain(words)
  expect(await htmlFaults(reply)).toEqual([])
})

test('the thank-you page', async () => {
  const { headers } = await postForm(product.url, wholeForm())
  const thanks = await fetch(product.url + headers.get('location'))
  expect(await thanks.clone().text()).toContain('Information Received')
  expect(await htmlFaults(thanks)).toEqual([])
})

test('the sandbox, with leads', async () => {
  const visitor = await apiVisitor(product.url)
  for (const lastName of ['Sandbox-Cap', 'Sandbox-Fail500']) {
    await visitor.post('leads', exampleLead({ lastName }), newKey())
  }
  expect(await htmlFaults(await fetch(product.sandboxUrl))).toEqual([])
})

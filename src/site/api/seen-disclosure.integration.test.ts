import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpecifiedDisclosureText, type SiteTexts } from '#content/site-texts.ts'
import { makeShownDisclosures } from '#server/enquiries/shown-disclosures.ts'
import { shippedTexts } from '#tests/content/sample-texts.ts'
import { apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type Form, postForm, wholeForm } from '#tests/product/posted-form.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { runInStore } from '#tests/store/run-in-store.ts'
import { storePlaces, usePlace } from '#tests/store/store-places.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess()
})
afterAll(() => product.stop())

const withDisclosure = (text: string): SiteTexts => {
  const texts = shippedTexts()
  return { ...texts, shared: { ...texts.shared, disclosure: { html: text, text } } }
}

/** The id of the disclosure in a page as it is now. */
async function readShownId(): Promise<string> {
  const html = await (await fetch(`${product.url}/business`)).text()
  return /name="disclosure" value="([\da-f]{16})"/.exec(html)?.[1] ?? ''
}

/** The text that the store keeps with a person's lead; undefined without a lead. */
async function readConsent(email = ''): Promise<unknown> {
  const [row] = await askStore(
    product.store,
    `select text from leads inner join consents on lead_id = id
      inner join disclosures on hash = disclosure_hash where email = '${email}'`,
  )
  return row?.text
}

const checkedBox = /name="confirmation"[^>]*checked/

const old = 'I agree to calls from {school}.'
const oldText = 'I agree to calls from Larkspur Online University.'

describe('after the operator has edited the disclosure', () => {
  let oldId: string
  beforeAll(async () => {
    product.setTexts(withDisclosure(old))
    oldId = await readShownId()
    product.setTexts(withDisclosure('I agree to everything.'))
  })

  test('a page has the new text', async () => {
    expect(await readShownId()).not.toBe(oldId)
  })

  const send = async (hints: object) => {
    const body = exampleLead()
    const visitor = await apiVisitor(product.url)
    const reply = await visitor.post('leads', { ...body, ...hints }, newKey())
    return { status: reply.status, consent: await readConsent(body.lead.email) }
  }

  test('a page that was open keeps its text with the lead', async () => {
    expect(await send({ disclosure: oldId })).toEqual({ status: 201, consent: oldText })
    const form = wholeForm({ disclosure: oldId })
    expect((await postForm(product.url, form)).status).toBe(303)
    expect(await readConsent(form.email)).toBe(oldText)
  })

  test('a page of release 0.3.0, which names no text, showed the specification’s', async () => {
    const specified = makeSpecifiedDisclosureText('Larkspur Online University')
    expect(await send({ device: 'phone' })).toEqual({ status: 201, consent: specified })
    const form = wholeForm()
    expect((await postForm(product.url, form)).status).toBe(303)
    expect(await readConsent(form.email)).toBe(specified)
  })

  test('the thank-you page says which text its form shows, should the visitor return to it', async () => {
    const sent = await postForm(product.url, wholeForm())
    const thanks = await fetch(new URL(sent.headers.get('location') ?? '', product.url))
    const html = await thanks.text()
    expect(html).toContain('Information Received')
    for (const field of ['attribution', 'visit']) expect(html).toContain(`name="${field}"`)
    expect(html).toContain(`name="disclosure" value="${await readShownId()}"`)
  })

  test('a program that calls the API has the current text', async () => {
    expect(await send({})).toEqual({ status: 201, consent: 'I agree to everything.' })
  })

  test.each<[string, Form]>([
    ['a step with an error', { startDate: '', move: 'next' }],
    ['another area', { area: 'business' }],
  ])('%s asks for the agreement to the text that it shows', async (_, changes) => {
    for (const changed of [{ ...changes, disclosure: oldId }, changes]) {
      const reply = await postForm(product.url, wholeForm(changed))
      expect(reply.status).toBe(422)
      const html = await reply.text()
      expect(html).toContain('I agree to everything.')
      expect(html).toContain('This text has changed.')
      expect(html).not.toMatch(checkedBox)
    }
    const disclosure = await readShownId()
    const reply = await postForm(product.url, wholeForm({ disclosure, ...changes }))
    expect(await reply.text()).toMatch(checkedBox)
  })

  test('an earlier step forgets the agreement to a text that the page shows no more', async () => {
    const readConfirmation = async (disclosure: string) => {
      const reply = await postForm(product.url, wholeForm({ disclosure, move: 'back' }))
      expect(reply.status).toBe(200)
      return /name="confirmation" value="([^"]*)"/.exec(await reply.text())?.[1]
    }
    expect(await readConfirmation(oldId)).toBe('')
    expect(await readConfirmation(await readShownId())).toBe('on')
  })

  test.each(['0123456789abcdef', 'no id', '\0'])(
    'with the unknown id %j, the visitor reads the current text and loses no answer',
    async (id) => {
      expect(await send({ disclosure: id })).toEqual({ status: 403, consent: undefined })
      const form = wholeForm({ disclosure: id })
      const reply = await postForm(product.url, form)
      expect(reply.status).toBe(422)
      const html = await reply.text()
      expect(html).toContain('This text has changed.')
      expect(html).toContain('I agree to everything.')
      expect(html).toContain(form.email)
      expect(html).not.toMatch(checkedBox)
      expect(await readConsent(form.email)).toBeUndefined()
    },
  )
})

test('while the store cannot say which text a page showed, the visitor keeps the answers and tries again', async () => {
  const id = hash('sha256', 'Another process has shown this.').slice(0, 16)
  const rename = (from: string, to: string) =>
    runInStore(product.store, `alter table ${from} rename to ${to}`)
  const form = wholeForm({ disclosure: id })
  const visitor = await apiVisitor(product.url)
  const send = () => visitor.post('leads', { ...exampleLead(), disclosure: id }, newKey())
  await rename('shown_disclosures', 'shown_disclosures_gone')
  const page = await postForm(product.url, form)
  const refused = await send()
  await rename('shown_disclosures_gone', 'shown_disclosures')
  for (const reply of [page, refused]) {
    expect(reply.status).toBe(503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await page.text()).toContain(form.email)
})

describe.each(storePlaces)('shown disclosures on $name', ({ makePlace }) => {
  const place = usePlace(makePlace)

  test('are known to other processes', async () => {
    const { db } = (await place.open()).database
    const warnings: unknown[] = []
    const log = { warn: (fault: unknown) => warnings.push(fault) } as never
    const shown = makeShownDisclosures(db, log)
    const id = shown.show('I agree.')
    expect(shown.show('I agree.')).toBe(id)
    expect(await shown.find(id)).toBe('I agree.')
    const another = makeShownDisclosures(db, log)
    await expect.poll(() => another.find(id)).toBe('I agree.')
    another.show('I agree.')
    expect(await another.find('0123456789abcdef')).toBeUndefined()
    expect(warnings).toEqual([])
  })
})

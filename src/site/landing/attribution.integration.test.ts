import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead } from '#tests/product/example-lead.ts'
import { postForm, wholeForm } from '#tests/product/posted-form.ts'
import { arrivals } from '#tests/product/sandbox-ledger.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { storedLeads } from '#tests/product/stored-leads.ts'

let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess({ CLICK_ID_PARAM: 'aff_Click' })
  visitor = await apiVisitor(product.url)
})
afterAll(() => product.stop())

type Headers = Readonly<Record<string, string>>

const get = (path: string, headers: Headers = {}) => fetch(product.url + path, { headers })

/** The value of the page's field. */
const fieldIn = (html: string) =>
  /<input type="hidden" form="enquiry-form" name="attribution" value="([^"]*)"/
    .exec(html)?.[1]
    ?.replaceAll('&amp;', '&')

const fieldOf = async (path: string, headers: Headers = {}) =>
  fieldIn(await (await get(path, headers)).text())

const stored = (email = '') => storedLeads(product.store.dataDir, email)

const ad = '/business?UTM_Source=google&utm_campaign=Spring%20%26%20Fall&gclid=click-1'
const touch = 'utm_source=google&utm_campaign=Spring%20%26%20Fall&gclid=click-1'

describe('the field of a landing page', () => {
  test.each([
    ['an ad', ad, {}, touch],
    [
      'an ad on another site',
      ad,
      { referer: 'https://www.x.example/path?q=me' },
      `${touch.replace('&gclid', '&referrer=x.example&gclid')}`,
    ],
    [
      'a link on another site',
      '/',
      { referer: 'https://x.example/?utm_source=theirs' },
      'referrer=x.example',
    ],
    ['a made-up referrer in the address', '/?referrer=evil.example&amp;referrer=x', {}, ''],
    [
      'a badly encoded link',
      '/?utm_source=&amp;utm_source=news&amp;UTM_Campaign=fall&amp;aff_click=c7',
      {},
      'utm_source=news&utm_campaign=fall&click_id=c7',
    ],
    [
      'a link with placeholders',
      '/?utm_source=news&utm_campaign={{campaign.name}}&gclid=%7Bgclid%7D&aff_click=__CLICKID__&aff_click=c8',
      {},
      'utm_source=news&click_id=c8',
    ],
    ['only placeholders', '/?utm_source=[source]&ttclid=%%TTCLID%%&aff_click=[id]', {}, ''],
    ['a TikTok ad', `/?ttclid=${'E.C.P.'.repeat(60)}`, {}, `ttclid=${'E.C.P.'.repeat(60)}`],
    ['a click id under another name than the setting’s', '/?click_id=c1', {}, ''],
    ['an affiliate’s click', '/?affid=a1&Aff_Click=c%2F1&click_id=other', {}, 'click_id=c%2F1'],
    ['an affiliate’s click with Do Not Track', '/?aff_click=c1', { dnt: '1' }, ''],
    ['an address typed by hand', '/', {}, ''],
    ['a broken Referer', '/', { referer: 'no address' }, ''],
    [
      'an ad, by a browser with Global Privacy Control',
      ad,
      { 'sec-gpc': '1' },
      touch.replace('&gclid=click-1', ''),
    ],
    [
      'an ad, by a browser with Do Not Track',
      ad,
      { dnt: '1' },
      touch.replace('&gclid=click-1', ''),
    ],
  ])('has the touch of %s', async (_, path, headers, value) => {
    expect(await fieldOf(path, headers as Headers)).toBe(value)
  })

  test('has the touch twice after a link from a landing page, and none after a link from another page', async () => {
    const from = (path: string) => ({ referer: product.url + path })
    expect(await fieldOf('/healthcare', from(ad))).toBe(`${touch} ${touch}`)
    expect(await fieldOf('/healthcare', from('/business?program=1'))).toBe('')
    expect(await fieldOf('/?utm_source=own', from('/business'))).toBe('utm_source=own')
  })

  test('is escaped', async () => {
    expect(await fieldOf(`/?utm_source=${encodeURIComponent('"><script>')}`)).toBe(
      'utm_source=%22%3E%3Cscript%3E',
    )
  })

  test('is the only difference to the cached page, in every encoding, with its own ETag', async () => {
    const plain = await (await get('/business')).text()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const filled = await get(ad, { 'accept-encoding': encoding })
      expect(filled.headers.get('content-encoding') ?? 'identity').toBe(encoding)
      const html = await filled.text()
      expect(html.replace(touch.replaceAll('&', '&amp;'), '')).toBe(plain)
      const etag = filled.headers.get('etag') ?? ''
      const again = await get(ad, { 'accept-encoding': encoding, 'if-none-match': etag })
      expect(again.status).toBe(304)
    }
  })
})

describe('a lead', () => {
  const send = async (attribution: unknown, headers: Headers = {}) => {
    const body = exampleLead()
    const key = { 'idempotency-key': randomUUID() }
    const reply = await visitor.post('leads', { ...body, attribution }, { ...key, ...headers })
    expect(reply.status).toBe(201)
    const [lead] = stored(body.lead.email)
    return { body, key, attribution: lead?.payload.attribution }
  }
  const google = { utm_source: 'google', utm_campaign: 'Spring & Fall', gclid: 'click-1' }

  test.each<[string, unknown, unknown]>([
    ['one touch is first and last', touch, { first: google, last: google }],
    [
      'two touches',
      `${touch} referrer=x.example`,
      { first: google, last: { referrer: 'x.example' } },
    ],
    ['a direct visit', '', { first: {}, last: {} }],
    ['nothing sent', undefined, null],
    ['no text', { first: 1 }, null],
    ['rubbish', '%E0%A4%A &&==  utm_source=%00 x', { first: {}, last: {} }],
    [
      'whole values alone',
      `utm_source=${'x'.repeat(10_000)}&ttclid=${'y'.repeat(325)}&click_id=${'z'.repeat(1001)}`,
      { first: { ttclid: 'y'.repeat(325) }, last: { ttclid: 'y'.repeat(325) } },
    ],
    [
      'no placeholder, whoever sends it',
      'gclid=%7Bgclid%7D&utm_term=%7Bkeyword%7D&referrer=WWW.X.Example',
      { first: { referrer: 'x.example' }, last: { referrer: 'x.example' } },
    ],
  ])('keeps %s', async (_, sent, kept) => {
    expect((await send(sent)).attribution).toEqual(kept)
  })

  test.each<Headers>([{ 'sec-gpc': '1' }, { dnt: '1' }])(
    'keeps no click id with %o',
    async (headers) => {
      const { gclid, ...rest } = google
      expect((await send(touch, headers)).attribution).toEqual({ first: rest, last: rest })
    },
  )

  test('repeats the first one if only the attribution differs', async () => {
    const { body, key } = await send(touch)
    const again = await visitor.post('leads', { ...body, attribution: 'utm_source=other' }, key)
    expect(again.status).toBe(200)
    expect(stored(body.lead.email)).toMatchObject([{ payload: { attribution: { last: google } } }])
  })

  test('reaches the distributor without its attribution', async () => {
    const { body } = await send(`${touch} utm_source=other&referrer=x.example`)
    const [arrived] = await arrivals(product.sandboxUrl, body.lead.email)
    expect(JSON.stringify(arrived)).not.toMatch(/google|Spring|click-1|x\.example|utm/)
  })
})

test('a posted form carries first and last touch through its steps into the lead', async () => {
  const headers = { dnt: '0' }
  const form = wholeForm({ attribution: `${touch} utm_source=news`, programId: '' })
  const shown = await postForm(product.url, form, { headers })
  expect(shown.status).toBe(422)
  const attribution = fieldIn(await shown.text())
  expect(attribution).toBe(`${touch} utm_source=news`)
  const sent = await postForm(
    product.url,
    { ...form, programId: '1', attribution: attribution ?? '' },
    { headers },
  )
  expect(sent.status).toBe(303)
  expect(stored(form.email)).toMatchObject([
    { payload: { attribution: { first: { gclid: 'click-1' }, last: { utm_source: 'news' } } } },
  ])
})

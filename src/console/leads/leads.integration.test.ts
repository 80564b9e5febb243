import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toReference } from '#domain/lead/reference.ts'
import { revealLimit } from '#domain/operator/permissions.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import { openStore } from '#server/store/open-store.ts'
import { type SignedIn, signedIn, signIn, visitor } from '#tests/console/console-visitor.ts'
import { examplePassword, operatorOf } from '#tests/console/operator-of.ts'
import { untilPasses } from '#tests/patience/until.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { askStore } from '#tests/store/ask-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'

const received = Date.UTC(2026, 10, 2, 12)

let product: InProcessProduct
let admin: SignedIn
let wanted: string
beforeAll(async () => {
  product = await startInProcess({ ROLE: 'console' })
  admin = await signIn(product.consoleLink)
  const store = await openStore(product.store)
  const accept = async (lead: Parameters<typeof exampleArrival>[0]) => {
    const arrival = exampleArrival(lead)
    await store.intake.accept(arrival)
    return arrival.lead.id
  }
  for (let index = 0; index < 60; index++) {
    const subId = index === 0 ? 'grace@mail.example' : null
    await accept({
      receivedAt: received - index,
      phone: `94155502${10 + index}`,
      state: 'FL',
      subId,
    })
  }
  wanted = await accept({
    receivedAt: received + 1,
    email: 'ada.lovelace@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: '9415550199',
    state: 'NY',
    subId: 'partner-7\u202e',
    attribution: {
      first: { utm_source: 'mailing', utm_term: 'alovelace' },
      last: { utm_source: 'news', utm_campaign: 'ADA+lovelace 941-555-0199' },
    },
  })
  await store.close()
  await untilPasses(async () => expect(await textAt('/leads')).toContain('61 leads'))
})
afterAll(() => product.stop())

const textAt = async (path: string) => (await admin.get(path)).text()
const noticeIn = (reply: Response) => reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const rowsIn = (page: string) => page.split('<tbody>')[1]?.match(/<tr[ >]/g)?.length ?? 0
const hrefIn = (page: string, words: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${words}<`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''

test('shows the newest leads with links, and without names, addresses or numbers', async () => {
  const page = await textAt('/leads')
  expect(page).toContain('<h1>Leads</h1>')
  expect(page).toMatch(/<table [^>]*aria-label="Leads"/)
  expect(rowsIn(page)).toBe(50)
  expect(page).toContain(`href="/leads/${wanted}"`)
  expect(page).toContain('A. L.')
  const names = ['Ada', 'Lovelace', 'lovelace', 'ada.lovelace@']
  const personal = [...names, '5550100', '555-0100', 'Palm Avenue']
  for (const text of personal) expect(page).not.toContain(text)
  expect(page).toMatch(/<input[^>]* list="source-values"/)
  expect(page).toMatch(/<datalist id="source-values">.*<option value="news">.*<\/datalist>/)
  // The person's data is hidden in the touches, too.
  const viewer = await operatorOf(product, admin, 'viewer')
  const lead = await (await viewer.get(`/leads/${wanted}`)).text()
  expect(lead).toContain('source news, campaign •••')
  expect(lead).toContain('source mailing, term •••')
  expect(lead).not.toMatch(/lovelace|0199/i)
  // Hidden characters in an affiliate's id are shown as escapes.
  expect(page).toContain('partner-7\\u202e')
  expect(page).toContain('•••')
  expect(page).not.toContain('grace@mail.example')
})

test('the next page continues after the first', async () => {
  const older = await textAt(hrefIn(await textAt('/leads'), 'Older'))
  expect(rowsIn(older)).toBe(11)
  expect(hrefIn(older, 'Older')).toBe('')
})

test('filters by its address', async () => {
  const page = await textAt('/leads?state=NY&status=pending&from=2026-11-02&to=2026-11-02')
  expect(rowsIn(page)).toBe(1)
  expect(page).toContain(wanted)
  expect(rowsIn(await textAt('/leads?state=NY&status=dead'))).toBe(0)
  expect(await textAt('/leads?to=2026-11-01')).toContain('No lead matches')
})

describe('an invalid value is reported at its field, and nothing is searched', () => {
  test.each([
    ['/leads?status=lost', '“lost” isn’t a valid value.'],
    ['/leads?stauts=dead', 'There is no filter “stauts”'],
    ['/leads?program=x', '“x” isn’t a valid value.'],
    ['/leads?from=2026-13-01', '“2026-13-01” is not a date'],
    ['/leads?after=x', 'This page of leads doesn’t exist'],
    ['/leads?search=', 'Enter a full email address'],
    [
      `/leads?${Array.from({ length: 600 }, (_, index) => `error=e${index}`).join('&')}`,
      'Use at most 20 values in one filter: there are 600.',
    ],
  ])('%s', async (path, said) => {
    const reply = await admin.get(path)
    const page = await reply.text()
    expect(reply.status).toBe(400)
    expect(page).toContain(said)
    expect(page).not.toContain('<table')
  })
})

describe('a person is searched for', () => {
  const search = (text: string, query = '') => admin.post('/leads/search', { search: text, query })

  test.each(['5550199', '019bc0de', '', 'x'.repeat(300)])(
    'a refused search for “%s” shows no list, whose buttons would act on all leads',
    async (text) => {
      const page = await (await search(text)).text()
      expect(page).not.toContain('aria-label="Leads"')
      expect(page).not.toMatch(/Act on|>Export</)
    },
  )

  test.each(['Ada.Lovelace@example.com', '(941) 555-0199', 'lovelace', 'Ada Lovelace'])(
    'by %s, which stands in no address, page or log',
    async (text) => {
      const reply = await search(text)
      expect(reply.status).toBe(303)
      const address = reply.headers.get('location') ?? ''
      expect(address).toMatch(/^\/leads\?search=[\w-]+$/)
      const page = await textAt(address)
      expect(rowsIn(page)).toBe(1)
      expect(page).toContain(wanted)
      for (const said of [page, product.logLines.join('\n')]) expect(said).not.toContain(text)
    },
  )

  test('within the current filter', async () => {
    const found = async (query: string) => {
      const address = (await search('lovelace', query)).headers.get('location') ?? ''
      expect(address).toContain(query)
      return rowsIn(await textAt(address))
    }
    expect(await found('state=NY')).toBe(1)
    expect(await found('state=FL')).toBe(0)
  })

  test.each([
    ['an empty text', '  ', 'The search field is empty'],
    ['a part of a phone number', '(941) 555', 'Enter all 10 digits'],
    ['too many digits', '+44 20 7946 0958', 'Enter all 10 digits'],
    ['a part of an email address', 'ada@', 'Enter the full email address'],
    ['another part of an email address', '@example.com', 'Enter the full email address'],
    ['a short reference', '01a2213c', 'Enter the full reference'],
    ['too many words', 'w '.repeat(11), 'Enter only a full email address'],
  ])('by %s: the page says what can be searched, and no search is made', async (_, text, said) => {
    const searches = () =>
      askStore(product.store, `select id from audit where action = 'searched for a person'`)
    const before = (await searches()).length
    const reply = await search(text)
    expect(reply.status).toBe(400)
    const page = await reply.text()
    expect(page).toContain(said)
    expect(page).toContain('Enter a full email address, phone number, last name or reference.')
    expect(await searches()).toHaveLength(before)
  })

  test.each(['Lovelace, Ada', 'Lovelace Ada', 'Augusta', 'Smith-Jones 3rd'])(
    'by %s, which finds nothing: the page says what can be searched',
    async (text) => {
      const page = await textAt((await search(text)).headers.get('location') ?? '')
      expect(page).toContain('No lead has this last name. You can search for')
      expect(page).toContain('but not for a first name')
    },
  )
})

describe('the export has the listed leads', () => {
  const exported = (fields: Record<string, string>) =>
    admin.post('/leads/export', { query: '', format: 'jsonl', ...fields })

  test('in the command line’s format, oldest first, with an audit entry', async () => {
    const reply = await exported({ query: 'status=pending&state=FL&state=NY' })
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="leads-.*jsonl"$/,
    )
    const lines = (await reply.text()).trimEnd().split('\n')
    expect(lines).toHaveLength(61)
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: wanted, last_name: 'Lovelace' })
    const audit = await textAt('/audit?action=exported+leads')
    expect(audit).toContain('status=pending&amp;state=FL&amp;state=NY')
    expect(audit).toContain('61 leads')
  })

  test('and is refused without the filter field', async () => {
    const reply = await admin.post('/leads/export', { format: 'csv' })
    expect(reply.status).toBe(422)
    expect(await reply.text()).not.toContain('first_name')
  })

  test('limited to the search', async () => {
    const found = await admin.post('/leads/search', { search: 'lovelace', query: '' })
    const query = new URL(found.headers.get('location') ?? '', 'http://x').search
    const bytes = await (await exported({ query, format: 'csv' })).bytes()
    // Excel reads UTF-8 only with this mark.
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = new TextDecoder().decode(bytes)
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
  })

  test.each([
    ['query', 'status=lost'],
    ['format', 'xls'],
    ['format', 'constructor'],
    ['query', 'search=x'],
  ])('and is refused with an invalid value: %s=%s', async (name, value) => {
    const reply = await exported({ [name]: value })
    expect(reply.status).toBe(422)
    expect(reply.headers.get('content-disposition')).toBeNull()
  })
})

test('a filter with several values shows each value in a control', async () => {
  const page = await textAt('/leads?status=pending&status=dead&state=FL&state=NY')
  expect(page).toContain('<option value="pending" selected="">')
  expect(page).toMatch(/<input [^>]*type="checkbox" name="status" checked="" value="dead"\/>/)
  expect(page).toMatch(/id="field-state"[^>]*value="FL"/)
  expect(page).toMatch(/aria-label="State, another value"[^>]*name="state" value="NY"/)
  expect(rowsIn(page)).toBe(50)
})

test('a filter is saved as a view, shown and removed', async () => {
  const query = 'status=pending&state=NY'
  const saved = await admin.post('/leads/views', { name: 'New York', query, share: 'yes' })
  expect(saved.headers.get('location')).toBe(`/leads?${query}`)
  expect(await textAt('/leads')).toContain('New York')
  const shown = await textAt(`/leads?${query}`)
  const id = /action="\/leads\/views\/remove".*?name="id" value="([^"]+)"/s.exec(shown)?.[1] ?? ''
  await admin.post('/leads/views/remove', { id })
  expect(await textAt('/leads')).not.toContain('New York')
  const nameless = await admin.post('/leads/views', { name: ' ', query })
  expect(nameless.status).toBe(400)
  expect(await nameless.text()).toContain('Give the view a name')
  for (const wrong of [
    'status=John Smith',
    'status=dead&email=jane@example.org',
    `affiliate=${'a'.repeat(60_000)}`,
  ]) {
    const refused = await admin.post('/leads/views', { name: 'Wrong', query: wrong, share: 'yes' })
    expect(refused.status).toBe(422)
  }
  expect(await textAt('/leads')).not.toContain('Wrong')
  // The first response was lost, so the operator presses the button again.
  for (let times = 0; times < 2; times++) await admin.post('/leads/views', { name: 'Twice', query })
  await Promise.all([1, 2, 3, 4].map(() => admin.post('/leads/views', { name: 'AtOnce', query })))
  expect((await textAt('/leads')).match(/>AtOnce</g)).toHaveLength(1)
  expect((await textAt('/leads')).match(/>Twice</g)).toHaveLength(1)
})

test('a shared view is removed by its owner or by an admin', async () => {
  const operator = await operatorOf(product, admin, 'operator')
  const query = 'state=WY'
  await operator.post('/leads/views', { name: 'Wyoming', query, share: 'yes' })
  const viewer = await operatorOf(product, admin, 'viewer')
  const shown = await (await viewer.get(`/leads?${query}`)).text()
  expect(shown).toContain('Wyoming')
  expect(shown).not.toContain('/leads/views/remove')
  const id = /views\/remove".*?name="id" value="([^"]+)"/s.exec(
    await textAt(`/leads?${query}`),
  )?.[1]
  await viewer.post('/leads/views/remove', { id: id ?? '' })
  expect(await textAt('/leads')).toContain('Wyoming')
  await admin.post('/leads/views/remove', { id: id ?? '' })
  expect(await textAt('/leads')).not.toContain('Wyoming')
})

// Parsing that took more than linear time would use up all memory and end the process.
test('a form with the maximum number of fields gets a reply', async () => {
  const form = new FormData()
  for (const [name, value] of admin.form({ query: 'a&'.repeat(8_000) })) form.set(name, value)
  const reply = await fetch(`${admin.origin}/leads/search`, {
    method: 'POST',
    headers: { cookie: admin.cookie, origin: admin.origin },
    body: form,
    redirect: 'manual',
  })
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain('There is no filter “a”')
})

test('a viewer searches by reference alone; an operator’s search is in the audit log without its text', async () => {
  const [viewer, operator] = await Promise.all(
    ['viewer', 'operator'].map((role) => operatorOf(product, admin, role)),
  )
  const search = (who: SignedIn | undefined, text: string) =>
    who?.post('/leads/search', { search: text, query: '' })
  for (const text of ['ada.lovelace@example.com', '9415550199', 'Lovelace', 'Nobody']) {
    expect([text, (await search(viewer, text))?.status]).toEqual([text, 403])
  }
  for (const name of ['affiliate', 'source', 'campaign', 'medium', 'content']) {
    const filter = await viewer?.get(`/leads?${name}=grace@mail.example`)
    expect([name, filter?.status]).toEqual([name, 403])
  }
  const found = (await search(viewer, wanted))?.headers.get('location') ?? ''
  expect(rowsIn((await (await viewer?.get(found))?.text()) ?? '')).toBe(1)
  const reference = toReference(wanted)
  for (const typed of [
    reference,
    ` ${reference.toLowerCase()} `,
    reference.replace(/^.{4}/, '$&-'),
  ]) {
    const same = (await search(viewer, typed))?.headers.get('location') ?? ''
    const page = (await (await viewer?.get(same))?.text()) ?? ''
    expect([typed, rowsIn(page), page.includes(wanted)]).toEqual([typed, 1, true])
  }
  const unknown = (await search(viewer, '22222222'))?.headers.get('location') ?? ''
  expect(rowsIn((await (await viewer?.get(unknown))?.text()) ?? '')).toBe(0)

  expect((await search(operator, 'ada.lovelace@example.com'))?.status).toBe(303)
  const audit = await textAt('/audit?action=searched%20for%20a%20person')
  expect(rowsIn(audit)).toBeGreaterThan(0)
  expect(audit).not.toContain('lovelace')
})

test('the page tells a viewer to search by reference, and shows no view or job with a person in its filter', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  const query = 'affiliate=grace%40mail.example'
  await admin.post('/leads/views', { name: 'One affiliate', query, share: 'yes' })
  await admin.post('/leads/views', { name: 'Florida', query: 'state=FL', share: 'yes' })
  const planned = await admin.post('/jobs', { query, action: 'retry' })
  const job = planned.headers.get('location') ?? ''
  expect(await textAt(job)).toContain('grace@mail.example')

  const page = await (await viewer.get('/leads')).text()
  expect(page).toContain('Search by reference')
  expect(page).not.toMatch(/Enter a full email|phone|last name/)
  expect(await (await viewer.post('/leads/search', { search: ' ', query: '' })).text()).toContain(
    'Enter a full reference.',
  )
  expect(page).toContain('Florida')
  for (const said of [page, ...(await Promise.all(['/jobs', job].map(textOf)))]) {
    expect(said).not.toMatch(/grace(@|%40)mail/)
  }
  expect(await textAt('/leads')).toContain('One affiliate')

  async function textOf(path: string) {
    return (await viewer.get(path)).text()
  }
})

test('searches count toward the reveal limit, and the text of a refused search is not stored', async () => {
  const operator = await operatorOf(product, admin, 'operator')
  const search = async () =>
    (
      await operator.post('/leads/search', { search: 'ada.lovelace@example.com', query: '' })
    ).headers.get('location') ?? ''
  expect(await search()).toMatch(/^\/leads\?search=/)
  const [{ operator_id, network } = {}] = await askStore(
    product.store,
    `select operator_id, network from audit where action = 'searched for a person' order by id desc limit 1`,
  )
  const strong = { role: 'operator', lastAuthenticatedAt: Date.now(), email: '' } as const
  const by = {
    kind: 'console',
    id: String(operator_id),
    network: String(network),
    ...strong,
  } as const
  const store = await openStore(product.store)
  for (let time = 0; time < revealLimit.most - 2; time++) {
    const action = time % 2 === 0 ? 'revealed a lead' : 'searched for a person'
    await store.audit.record(by, { action, subject: wanted }, Date.now())
  }
  await store.close()
  expect(await search(), 'the last one').toMatch(/^\/leads\?search=/)

  const asked = await search()
  expect(asked).toMatch(/^\/confirm\?for=search\+for\+a\+person/)
  const revealed = await operator.post(`/leads/${wanted}/reveal`)
  expect(revealed.headers.get('location')).toMatch(/^\/confirm\?for=reveal\+a\+lead/)
  const confirm = await (await operator.get(asked)).text()
  expect(confirm).toContain('You have revealed or searched for 60 people within an hour.')
  expect(confirm).toContain('Afterwards, select Reveal again, or repeat the search')
  expect(confirm).not.toContain('lovelace')
  const wrong = await operator.post('/confirm', {
    password: 'none of theirs',
    for: 'search for a person',
    to: '/leads',
  })
  expect(await wrong.text()).toContain('Afterwards, select Reveal again, or repeat the search')
  const went = await operator.post('/confirm', { password: examplePassword, to: '/leads' })
  expect(went.status).toBe(303)
  expect(await search()).toMatch(/^\/leads\?search=/)
})

test('an operator whose role was lowered can no longer open an earlier search', async () => {
  const operator = await operatorOf(product, admin, 'operator')
  const searched = async (search: string) =>
    (await operator.post('/leads/search', { search, query: '' })).headers.get('location') ?? ''
  const [person, reference] = [await searched('ada.lovelace@example.com'), await searched(wanted)]
  expect(rowsIn(await (await operator.get(person)).text())).toBe(1)
  const [{ operator_id: id, email } = {}] = await askStore(
    product.store,
    `select audit.operator_id, operators.email from audit join operators on operators.id = audit.operator_id
      where action = 'searched for a person' order by audit.id desc limit 1`,
  )
  await admin.post(`/operators/${id}/role`, { role: 'viewer' })
  const guest = await visitor(admin.origin)
  const again = await signedIn(
    admin.origin,
    await guest.post('/sign-in', { email: String(email), password: examplePassword }),
  )
  const refused = await (await again.get(person)).text()
  expect(refused).toContain('That search has expired')
  expect(refused).not.toContain(wanted)
  expect(rowsIn(await (await again.get(reference)).text())).toBe(1)
})

test('an operator’s searches are limited', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  const searches: Response[] = []
  for (let index = 0; index <= 50; index++) {
    searches.push(await viewer.post('/leads/search', { search: crypto.randomUUID(), query: '' }))
  }
  const addressOf = (reply?: Response) => reply?.headers.get('location') ?? ''
  expect(await (await viewer.get(addressOf(searches[0]))).text()).toContain(
    'That search has expired',
  )
  expect((await viewer.get(addressOf(searches.at(-1)))).status).toBe(200)

  const save = (name: string, query: string) => viewer.post('/leads/views', { name, query })
  for (let index = 0; index < 100; index++) {
    expect((await save(`${index}`, 'state=NY')).status).toBe(303)
  }
  expect((await save('99', 'state=NY')).status).toBe(303)
  const oneMore = await save('one more', 'state=FL')
  expect(oneMore.status).toBe(400)
  expect(await oneMore.text()).toContain('You already have 100 views. Remove one first.')
})

test('leads in doubt after a restore are reported, listed and settled', async () => {
  const viewer = await operatorOf(product, admin, 'viewer')
  expect(await textAt('/')).not.toContain('restored from a backup')
  const store = await openStore(product.store)
  try {
    await markOpenInDoubt(store.database, Date.now())
    await untilPasses(async () =>
      expect(await textAt('/')).toMatch(
        /61 restored leads may have been delivered.*href="\/leads\?restored=in-doubt"/s,
      ),
    )
    const inDoubt = '/leads?restored=in-doubt&state=NY'
    const page = await textAt(inDoubt)
    expect(rowsIn(page)).toBe(1)
    expect(page).toContain('1 lead<')
    const settle = `/leads/${wanted}/settle?restored=in-doubt`
    expect(page).toContain(`href="${settle}"`)
    expect(await textAt('/leads?state=NY'), 'where nobody asks what is in doubt').not.toContain(
      'Settle',
    )
    expect(await (await viewer.get(inDoubt)).text()).not.toContain('Settle')

    expect(await textAt(settle)).toContain('<a href="/leads?restored=in-doubt">Cancel')
    const order = { restored: 'in-doubt', reason: 'their list' }
    const unsaid = await admin.post(`/leads/${wanted}/settle`, order)
    expect(await unsaid.text()).toContain('name="restored"')
    const settled = await admin.post(`/leads/${wanted}/settle`, { ...order, as: 'delivered' })
    expect(settled.headers.get('location')).toBe('/leads?restored=in-doubt')
    const list = await admin.get('/leads?restored=in-doubt', {
      cookie: [admin.cookie, noticeIn(settled)].join('; '),
    })
    expect(await list.text()).toMatch(/Settled by hand as accepted.*60 leads/s)
    expect(await textAt(inDoubt)).toContain('No lead matches')
  } finally {
    await store.close()
  }
})

test('a search names what its leads have in common, and acts on none of them', async () => {
  const store = await openStore(product.store)
  const accept = (email: string, phone: string, receivedAt: number) =>
    store.intake.accept(exampleArrival({ lastName: 'Hopper', email, phone, receivedAt }))
  await accept('grace@example.com', '9415550301', received - 500)
  await accept('grace@example.com', '9415550302', received - 501)
  await accept('grace@example.com', '9415550302', received - 502)
  await accept('ruth@example.com', '9415550301', received - 503)
  await store.close()
  const found = async (search: string) => {
    const reply = await admin.post('/leads/search', { search, query: '' })
    const address = reply.headers.get('location') ?? ''
    return { address, page: await textAt(address) }
  }
  const name = await found('HOPPER')
  expect(name.page).toContain('This list shows only leads with this last name.')
  expect(name.page).toContain('The search ignores first names.')
  expect(name.page).not.toContain('Act on')
  expect(name.page).toContain('>Export 4 leads<')
  const email = await found('Grace@example.com')
  expect(email.page).toContain('only leads with this email address.')
  const phone = await found('941-555-0301')
  expect(phone.page).toContain('only leads with this phone number.')
  const reference = await found(wanted)
  expect(reference.page).toContain('only leads with this reference.')

  const query = new URL(name.address, admin.origin).search.slice(1)
  const exported = await admin.post('/leads/export', { query, format: 'csv' })
  expect((await exported.text()).trimEnd().split('\r\n')).toHaveLength(5)
  const [entry] = await askStore(
    product.store,
    `select subject from audit where action = 'exported leads' order by id desc limit 1`,
  )
  expect(entry).toEqual({ subject: 'leads with one last name (found by search)' })
})

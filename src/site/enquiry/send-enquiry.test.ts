import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { notStoredNotice, offlineNotice, submissionNotice } from '#content/messages.ts'
import { problemContentType } from '#contract/problem.ts'
import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import { initialState } from './form-state.ts'
import { sendEnquiry } from './send-enquiry.ts'

const page = 'http://site/business'
const respond = vi.fn<() => Response>()

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) =>
    url === page ? new Response('<!doctype html>') : respond(),
  )
  vi.stubGlobal('location', { protocol: 'http:', href: page })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', { cookie: '' })
})
afterEach(() => vi.unstubAllGlobals())

const problem = (status: number, detail: string, contentType = problemContentType) =>
  respond.mockImplementation(
    () =>
      new Response(JSON.stringify({ type: 'about:blank', title: 'x', status, detail }), {
        status,
        headers: { 'content-type': contentType },
      }),
  )

/** Returns the form's state after sending. */
async function send() {
  const change = await sendEnquiry({ ...newEnquiry, step: 3 }, { category: 'business' })
  return change(initialState({}))
}

it('tells who has to wait how long, for as long as it takes to read', async () => {
  problem(429, 'Please send it again in 3 seconds.')
  expect(await send()).toMatchObject({
    enquiry: { step: 3 },
    notice: { ...submissionNotice, detail: 'Please send it again in 3 seconds.', isSticky: true },
  })
})

it('leads to what the API refuses: city and state are the visitor’s from here on', async () => {
  const errors = [
    { field: 'programId', message: 'Choose.' },
    { field: 'state', message: 'Two letters.' },
  ]
  respond.mockImplementation(() =>
    Response.json(
      { status: 422, errors },
      { status: 422, headers: { 'content-type': problemContentType } },
    ),
  )
  expect(await send()).toMatchObject({
    enquiry: { step: 1, addressCheck: { by: 'hand' } },
    errors: { state: 'Two letters.' },
    notice: submissionNotice,
  })
})

it('tells who cannot prove any work to wait, too', async () => {
  const detail = 'Please send this one again in a minute.'
  respond.mockImplementation(() =>
    Response.json(
      { status: 429, detail, challenge: { parameters: {} } },
      { status: 429, headers: { 'content-type': problemContentType } },
    ),
  )
  expect(await send()).toMatchObject({ notice: { detail } })
})

it('says the usual where storing failed, or where somebody else says to wait', async () => {
  problem(503, 'The enquiry could not be stored.')
  expect(await send()).toMatchObject({ notice: notStoredNotice })
  problem(429, 'Slow down.', 'application/json')
  expect(await send()).toMatchObject({ notice: submissionNotice })
})

const id = '01981f7e-2b5a-7c3d-8e4f-5a6b7c8d9e0f'

it.each([
  ['201', { status: 201 }],
  ['200, where it was stored before', { status: 200 }],
])('is sent where our own reply says so: %s', async (_, init) => {
  respond.mockImplementation(() => Response.json({ id }, init))
  expect(await send()).toMatchObject({ enquiry: { step: 4 }, leadId: id })
})

it.each<[string, () => Response]>([
  ['a portal answers with JSON of its own', () => Response.json({ status: 'ok' })],
  ['a proxy answers with an id that is none', () => Response.json({ id: 'session-1' })],
  ['a portal answers with a page', () => new Response('<h1>Welcome</h1>', { status: 200 })],
  ['a queue has only taken it in', () => Response.json({ id }, { status: 202 })],
  ['somebody answers with nothing', () => new Response(null, { status: 204 })],
])('is not sent, and can be tried again, where %s', async (_, reply) => {
  respond.mockImplementation(reply)
  for (let turn = 0; turn < 3; turn++) {
    expect(await send()).toMatchObject({ notice: submissionNotice })
  }
})

describe('where no call comes through', () => {
  const blocked = () => {
    throw new TypeError('Failed to fetch')
  }
  const countFromZero = () => {
    respond.mockImplementation(() => Response.json({ id }))
    return send()
  }
  beforeEach(() => {
    respond.mockImplementation(blocked)
  })

  it('says so, and is for the browser to post at the third time', async () => {
    for (let turn = 0; turn < 2; turn++) {
      expect(await send()).toMatchObject({ notice: submissionNotice })
    }
    await expect(send()).rejects.toThrow('Failed to fetch')
    await countFromZero()
  })

  it('waits for a line while there is none', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    for (let turn = 0; turn < 4; turn++) {
      expect(await send()).toMatchObject({ enquiry: { step: 3 }, notice: offlineNotice })
    }
  })

  it('counts from zero after a successful call', async () => {
    await send()
    await send()
    await countFromZero()
    respond.mockImplementation(blocked)
    expect(await send()).toMatchObject({ notice: submissionNotice })
  })
})

it('is for the browser to post where our own server takes no call without cookies', async () => {
  problem(403, 'Send the cookie again.')
  await expect(send()).rejects.toMatchObject({ status: 403 })
  problem(403, 'Forbidden', 'text/html')
  expect(await send()).toMatchObject({ notice: submissionNotice })
})

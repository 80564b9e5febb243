import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { submissionErrorNotice } from '#content/messages.ts'
import { problemContentType } from '#contract/api-constants.ts'
import { emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { resetFailedCallCount, sendEnquiry } from './send-enquiry.ts'

const page = 'http://site/business'
const respond = vi.fn<() => Response>()

beforeEach(() => {
  resetFailedCallCount()
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

const send = () => sendEnquiry({ ...emptyEnquiry, step: 3 }, { category: 'business' })

it('shows how long to wait in a sticky toast', async () => {
  problem(429, 'Please send it again in 3 seconds.')
  expect(await send()).toMatchObject({
    type: 'responded',
    response: {
      enquiry: { step: 3 },
      notice: {
        ...submissionErrorNotice,
        detail: 'Please send it again in 3 seconds.',
        isSticky: true,
      },
    },
  })
})

it('goes to the step of a refused field, and shows city and state', async () => {
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
    type: 'responded',
    response: {
      enquiry: { step: 1, addressCheck: { by: 'hand' } },
      errors: { state: 'Two letters.' },
      notice: submissionErrorNotice,
    },
  })
})

it('asks the visitor to wait if the browser cannot do the proof of work', async () => {
  const detail = 'Please send this one again in a minute.'
  respond.mockImplementation(() =>
    Response.json(
      { status: 429, detail, challenge: { parameters: {} } },
      { status: 429, headers: { 'content-type': problemContentType } },
    ),
  )
  expect(await send()).toMatchObject({ type: 'responded', response: { notice: { detail } } })
})

it('shows the specified message if storing failed, or if a proxy asks to wait', async () => {
  problem(503, 'The enquiry could not be stored.')
  expect(await send()).toMatchObject({
    type: 'responded',
    response: { notice: submissionErrorNotice },
  })
  problem(429, 'Slow down.', 'application/json')
  expect(await send()).toMatchObject({
    type: 'responded',
    response: { notice: submissionErrorNotice },
  })
})

const id = '01981f7e-2b5a-7c3d-8e4f-5a6b7c8d9e0f'

it.each([
  ['201', { status: 201 }],
  ['200, because it is already stored', { status: 200 }],
])('is sent if our own API says so: %s', async (_, init) => {
  respond.mockImplementation(() => Response.json({ id }, init))
  expect(await send()).toMatchObject({ type: 'sent', leadId: id })
})

it.each<[string, () => Response]>([
  ['a portal answers with JSON of its own', () => Response.json({ status: 'ok' })],
  ['a proxy answers with an invalid id', () => Response.json({ id: 'session-1' })],
  ['a portal answers with a page', () => new Response('<h1>Welcome</h1>', { status: 200 })],
  ['a queue has only accepted it', () => Response.json({ id }, { status: 202 })],
  ['the reply is empty', () => new Response(null, { status: 204 })],
])('is not sent, and can be tried again, if %s', async (_, reply) => {
  respond.mockImplementation(reply)
  for (let turn = 0; turn < 3; turn++) {
    expect(await send()).toMatchObject({
      type: 'responded',
      response: { notice: submissionErrorNotice },
    })
  }
})

describe('if a call gets no reply', () => {
  const blocked = () => {
    throw new TypeError('Failed to fetch')
  }
  beforeEach(() => {
    respond.mockImplementation(blocked)
  })

  it('lets the browser post the form at the third try', async () => {
    for (let turn = 0; turn < 2; turn++) {
      expect(await send()).toMatchObject({
        type: 'responded',
        response: { notice: submissionErrorNotice },
      })
    }
    await expect(send()).rejects.toThrow('Failed to fetch')
  })

  it('keeps the answers while the browser is offline', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    for (let turn = 0; turn < 4; turn++) {
      expect(await send()).toMatchObject({ type: 'offline', enquiry: { step: 3 } })
    }
  })

  it('counts from zero after a successful call', async () => {
    await send()
    respond.mockImplementation(() => Response.json({ id }))
    await send()
    respond.mockImplementation(blocked)
    expect(await send()).toMatchObject({ type: 'responded' })
  })
})

it('lets the browser post the form if our server refuses the call because cookies are missing', async () => {
  problem(403, 'Send the cookie again.')
  await expect(send()).rejects.toMatchObject({ status: 403 })
  problem(403, 'Forbidden', 'text/html')
  expect(await send()).toMatchObject({ type: 'responded' })
})

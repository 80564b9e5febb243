import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { submissionNotice } from '#content/messages.ts'
import { problemContentType } from '#contract/problem.ts'
import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import { sendEnquiry } from './send-enquiry.ts'

const answered = vi.fn<() => Response>()

beforeEach(() => {
  vi.stubGlobal('fetch', async () => answered())
  vi.stubGlobal('location', { protocol: 'http:' })
  vi.stubGlobal('document', { cookie: '' })
})
afterEach(() => vi.unstubAllGlobals())

const problem = (status: number, detail: string, contentType = problemContentType) =>
  answered.mockImplementation(
    () =>
      new Response(JSON.stringify({ type: 'about:blank', title: 'x', status, detail }), {
        status,
        headers: { 'content-type': contentType },
      }),
  )

const send = () => sendEnquiry({ ...newEnquiry, step: 3 }, { category: 'business' })

it('tells who has to wait how long, for as long as it takes to read', async () => {
  problem(429, 'Please send it again in 3 seconds.')
  expect(await send()).toMatchObject({
    type: 'failed-to-send',
    enquiry: { step: 3 },
    notice: { ...submissionNotice, detail: 'Please send it again in 3 seconds.', isSticky: true },
  })
})

it('tells who cannot prove any work to wait, too', async () => {
  const detail = 'Please send this one again in a minute.'
  answered.mockImplementation(() =>
    Response.json(
      { status: 429, detail, challenge: { parameters: {} } },
      { status: 429, headers: { 'content-type': problemContentType } },
    ),
  )
  expect(await send()).toMatchObject({ type: 'failed-to-send', notice: { detail } })
})

it('says the usual where storing failed, or where somebody else says to wait', async () => {
  problem(503, 'The enquiry could not be stored.')
  expect(await send()).toMatchObject({ type: 'failed-to-send', notice: submissionNotice })
  problem(429, 'Slow down.', 'application/json')
  expect(await send()).toMatchObject({ type: 'failed-to-send', notice: submissionNotice })
})

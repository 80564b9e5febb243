import { expect, onTestFinished, test, vi } from 'vitest'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { httpReply, startHostileServer } from '#tests/third-parties/hostile-server.ts'
import { callLookupService, classifyFailure } from './lookup-service.ts'

const read = (result: Parameters<typeof classifyFailure>[0]) =>
  result.kind === 'answered' && result.status === 200
    ? ({ kind: 'answered', body: result.body } as const)
    : classifyFailure(result)

const reply = (status: number): RecordedReply => ({ status, body: `${status}` })

const timeoutMs = 60_000

async function ask(url: string) {
  const outcomes: string[] = []
  const onCall = (outcome: string) => outcomes.push(outcome)
  const found = await callLookupService({ method: 'GET', url }, read, { timeoutMs, onCall })
  return { found, outcomes }
}

async function askServer(...replies: RecordedReply[]) {
  const server = await startAnsweringServer(replies)
  onTestFinished(server.stop)
  return ask(server.url)
}

test.each([500, 502, 503, 504])('%i is asked once more, and counted twice', async (status) => {
  expect(await askServer(reply(status), reply(200))).toEqual({
    found: { kind: 'answered', body: '200' },
    outcomes: ['down', 'answered'],
  })
})

test('a service that is still down is not called a third time', async () => {
  expect(await askServer(reply(503), reply(503), reply(200))).toEqual({
    found: { kind: 'unavailable', reason: 'down' },
    outcomes: ['down', 'down'],
  })
})

test.each([
  [400, 'bad-request'],
  [403, 'refused-key'],
  [429, 'quota'],
  [302, 'broken'],
])('%i is not asked again: %s', async (status, reason) => {
  expect(await askServer(reply(status), reply(200))).toEqual({
    found: { kind: 'unavailable', reason },
    outcomes: [reason],
  })
})

test('a lost connection is asked once more', async () => {
  let calls = 0
  const server = await startHostileServer((socket) => {
    calls += 1
    if (calls === 1) socket.resetAndDestroy()
    else socket.end(httpReply(200, 'here'))
  })
  onTestFinished(server.stop)
  expect(await ask(server.url)).toEqual({
    found: { kind: 'answered', body: 'here' },
    outcomes: ['network', 'answered'],
  })
})

test('a timeout has used up the time, and so has a fault that came late', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const silent = await startHostileServer(() => vi.advanceTimersByTime(timeoutMs))
  onTestFinished(silent.stop)
  expect(await ask(silent.url)).toMatchObject({ outcomes: ['timeout'] })
  const late = await startHostileServer((socket) => {
    vi.advanceTimersByTime(timeoutMs - 700)
    socket.end(httpReply(503, ''))
  })
  onTestFinished(late.stop)
  expect(await ask(late.url)).toMatchObject({ outcomes: ['down'] })
})

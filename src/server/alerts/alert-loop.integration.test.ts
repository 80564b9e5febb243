import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import type { Store } from '#server/store/open-store.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { useKeptStores } from '#tests/store/kept-stores.ts'
import { storePlaces } from '#tests/store/store-places.ts'
import { makeAlertLoop } from './alert-loop.ts'
import { makeNotStoredAlert, type OverviewAlert } from './alerts.ts'
import { findUnusualSilence } from './overview-reader.ts'

const minute = 60_000
const begin = Date.UTC(2026, 10, 24, 12)

const dead: OverviewAlert = {
  kind: 'problem',
  title: '3 deliveries have used up all attempts',
  since: { text: 'The oldest was received', at: begin },
  details: 'The leads are kept until you act.',
  advice: 'Retry them.',
  link: { text: 'View', href: '/leads?status=dead' },
  section: 'Leads are dead',
}
const paused: OverviewAlert = { ...dead, kind: 'note', section: 'Deliveries are paused' }

/** A chat that keeps the texts that it accepted. */
async function startChat() {
  const texts: string[] = []
  const chat = { texts, status: 200, reply: '', url: '' }
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    if (chat.status === 200) texts.push(body.text)
    response.writeHead(chat.status).end(chat.reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  chat.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`
  return chat
}

describe.each(storePlaces)('alerts of a store on $name', ({ makePlace }) => {
  const place = useKeptStores(makePlace)

  async function startAlerts() {
    const chat = await startChat()
    const store = await place.open()
    const state = { now: begin, alerts: [] as OverviewAlert[] | Error, log: '' }
    const write = (line: string) => {
      state.log += line
    }
    const log = pino({}, { write })
    const makeProcess = (db: Store['database']['db'] = store.database.db) =>
      makeAlertLoop({
        db,
        findAlerts: async () => {
          if (state.alerts instanceof Error) throw state.alerts
          return state.alerts
        },
        ...{
          webhook: { url: chat.url, format: 'auto' as const },
          school: 'Larkspur',
          consoleOrigin: 'https://console.example',
        },
        ...{
          clock: () => state.now,
          zone: 'America/Chicago',
          log,
          failureLog: makeFailureLog(log, { begins: '' }),
        },
      })
    const check = async (process: ReturnType<typeof makeProcess>, times = 2) => {
      for (let time = 0; time < times; time++) {
        await process.check()
        state.now += minute
      }
    }
    return { chat, store, state, makeProcess, check }
  }

  test('are sent once at the start of a problem, and once at its end', async () => {
    const { chat, state, makeProcess, check } = await startAlerts()
    const process = makeProcess()
    state.alerts = [dead, paused]
    await check(process, 1)
    expect(chat.texts).toEqual([])
    await check(process, 5)
    expect(chat.texts).toEqual([
      [
        'Campus Enquiry, Larkspur',
        '',
        'Problem: 3 deliveries have used up all attempts. The oldest was received 2026-11-24 06:00 America/Chicago',
        'Retry them.',
        'Console: https://console.example/leads?status=dead',
        'Runbook: docs/runbook.md#leads-are-dead',
      ].join('\n'),
    ])
    state.alerts = []
    await check(process, 5)
    expect(chat.texts[1]).toContain('\n\nOver: 3 deliveries have used up all attempts (reported ')
    expect(chat.texts).toHaveLength(2)
  })

  test('are sent once, however long the chat’s reply is', async () => {
    const { chat, state, makeProcess, check } = await startAlerts()
    chat.reply = 'x'.repeat(100_000)
    state.alerts = [dead]
    await check(makeProcess(), 4)
    expect(chat.texts).toHaveLength(1)
  })

  test('come from one process; the next one repeats nothing after a takeover', async () => {
    const { chat, state, makeProcess, check } = await startAlerts()
    const [first, second] = [makeProcess(), makeProcess()]
    state.alerts = [dead]
    await check(first)
    await check(second)
    expect(chat.texts).toHaveLength(1)
    state.now += 10 * minute
    await check(second, 3)
    expect(chat.texts).toHaveLength(1)
    state.alerts = []
    await check(second)
    await check(first)
    expect(chat.texts).toHaveLength(2)
  })

  test('come also while the database is down, and don’t say that unread alerts are over', async () => {
    const { chat, store, state, makeProcess, check } = await startAlerts()
    let isDown = false
    const db = new Proxy(store.database.db, {
      get(target, name, receiver) {
        if (isDown) throw new Error('down')
        const value = Reflect.get(target, name, receiver)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const process = makeProcess(db)
    state.alerts = [dead]
    await check(process)
    isDown = true
    state.alerts = Object.assign(new Error('x'), { code: 'ENOSPC' })
    await check(process, 5)
    expect(chat.texts[1]).toContain("Problem: Visitors can't submit enquiries: disk full")
    expect(chat.texts[1]).not.toContain('Over')
    expect(chat.texts).toHaveLength(2)
    isDown = false
    state.alerts = [dead]
    await check(process, 5)
    expect(chat.texts[2]).toContain("Over: Visitors can't submit enquiries: disk full")
    expect(chat.texts).toHaveLength(3)
  })

  test('are sent later if the chat is down, at most ten an hour, and the log hides the address', async () => {
    const { chat, state, makeProcess, check } = await startAlerts()
    const process = makeProcess()
    state.alerts = [dead]
    chat.status = 500
    await check(process, 3)
    chat.status = 200
    await check(process)
    expect(chat.texts).toHaveLength(1)
    expect(state.log).toContain('did not accept an alert')
    expect(state.log).not.toContain('secret-path')
    for (let time = 0; time < 20; time++) {
      state.alerts = time % 2 === 0 ? [] : [makeNotStoredAlert('disk full')]
      await check(process)
    }
    expect(chat.texts).toHaveLength(8)
    state.alerts = [dead]
    state.now += 60 * minute
    await check(process)
    expect(chat.texts[8]).toContain(dead.title)
  })

  test('find a silence of enquiries only if the same hours were busy in each of four weeks', async () => {
    const store = await place.open()
    const week = 7 * 24 * 60 * minute
    const now = begin
    const receive = (at: number, index: number) =>
      store.intake.accept(exampleArrival({ receivedAt: at, email: `${at}-${index}@example.com` }))
    const last = now - 30 * minute
    await receive(last, 0)
    const silence = () => findUnusualSilence(store.database.db, now)
    for (const weeks of [1, 2, 3, 4]) {
      expect(await silence()).toBeUndefined()
      for (let index = 0; index < 5; index++)
        await receive(now - weeks * week - index * minute, index)
    }
    expect(await silence()).toEqual({ since: last, least: 5 })
    expect(await findUnusualSilence(store.database.db, last + 9 * minute)).toBeUndefined()
  })
})

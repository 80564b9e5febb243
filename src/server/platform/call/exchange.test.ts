import { expect, test, vi } from 'vitest'
import type { CallResult } from './call.ts'
import { Exchange } from './exchange.ts'

function begin() {
  const told: CallResult[] = []
  const exchange = new Exchange(10, (result) => told.push(result))
  const controller = { abort: vi.fn(), aborted: false, paused: false, reason: null, rawHeaders: [] }
  return { told, exchange, controller: { ...controller, pause: vi.fn(), resume: vi.fn() } }
}

test('ended while it waits for its connection: nothing was sent, and nothing is sent later', () => {
  const { told, exchange, controller } = begin()
  exchange.interrupt('timeout')
  expect(told).toEqual([{ kind: 'no-answer', why: 'timeout', maybeSent: false, code: '' }])
  exchange.onRequestStart(controller)
  expect(controller.abort).toHaveBeenCalled()
})

test('ended once it is under way: it may have been sent', () => {
  const { told, exchange, controller } = begin()
  exchange.onRequestStart(controller)
  exchange.interrupt('stopped')
  expect(controller.abort).toHaveBeenCalled()
  expect(told).toEqual([{ kind: 'no-answer', why: 'stopped', maybeSent: true, code: '' }])
})

test('the result is reported once', () => {
  const { told, exchange, controller } = begin()
  exchange.onRequestStart(controller)
  exchange.onResponseStart(controller, 200, {})
  exchange.onResponseData(controller, Buffer.from('eleven byte'))
  exchange.onResponseError(controller, new Error('aborted'))
  exchange.onResponseEnd()
  expect(told).toEqual([{ kind: 'cut-short', status: 200, headers: {}, why: 'too-large' }])
})

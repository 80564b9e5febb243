import { afterEach, expect, test, vi } from 'vitest'
import { isPaused, recall, remember, togglePaused } from './remembered.ts'

afterEach(() => void vi.unstubAllGlobals())

function storageThatHolds(kept: Map<string, string>) {
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  })
}

test('the next page has the remembered value', () => {
  const kept = new Map<string, string>()
  storageThatHolds(kept)
  expect(recall('a switch')).toBeUndefined()
  remember('a switch', 'off')
  expect(recall('a switch')).toBe('off')
  expect([...kept]).toEqual([['a switch', 'off']])
})

test('motion can be stopped and started where storage is forbidden', () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
  expect(isPaused()).toBe(false)
  togglePaused()
  expect(isPaused()).toBe(true)
  togglePaused()
  expect(isPaused()).toBe(false)
})

test('motion can be stopped and started where storage is full', () => {
  const kept = new Map([['console-live', 'on']])
  storageThatHolds(kept)
  vi.stubGlobal('localStorage', {
    ...localStorage,
    setItem: () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    },
  })
  togglePaused()
  expect(isPaused()).toBe(true)
  storageThatHolds(kept)
  togglePaused()
  expect(isPaused()).toBe(false)
  kept.set('console-live', 'off')
  expect(isPaused(), 'by another window').toBe(true)
})

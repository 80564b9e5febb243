import { expect, test } from 'vitest'
import { OutputTurns } from './run-checks.ts'

test('checks that run side by side are heard one after the other, and the first at once', () => {
  const heard: (string | Uint8Array)[] = []
  const turns = new OutputTurns({ write: (text) => heard.push(text) })
  const [first, second, third] = [turns.next(), turns.next(), turns.next()]
  first.write('1a')
  third.write('3a')
  second.write('2a')
  expect(heard).toEqual(['1a'])
  third.end()
  first.write('1b')
  first.end()
  expect(heard).toEqual(['1a', '1b', '2a'])
  second.write('2b')
  expect(heard.at(-1)).toBe('2b')
  second.end()
  expect(heard).toEqual(['1a', '1b', '2a', '2b', '3a'])
})

import { expect, it } from 'vitest'
import { rememberIpLookup } from './remembered-ip-lookup.ts'

function remembered(answers: Record<string, string | undefined>) {
  const asked: string[] = []
  let now = 1
  const lookUp = rememberIpLookup(
    async (ip) => {
      asked.push(ip)
      return answers[ip]
    },
    () => now,
  )
  return {
    lookUp,
    asked,
    pass: (ms: number) => {
      now += ms
    },
  }
}

it('asks once for an address, also while the answer is under way, and again after ten minutes', async () => {
  const { lookUp, asked, pass } = remembered({ '192.0.2.1': '203.0.113.1' })
  const both = await Promise.all([lookUp('192.0.2.1'), lookUp('192.0.2.1')])
  expect(both).toEqual(['203.0.113.1', '203.0.113.1'])
  pass(600_000)
  expect(await lookUp('192.0.2.1')).toBe('203.0.113.1')
  expect(asked).toHaveLength(1)
  pass(1)
  await lookUp('192.0.2.1')
  expect(asked).toHaveLength(2)
})

it('leaves a service alone for ten seconds that did not answer, but for what it knows', async () => {
  const { lookUp, asked, pass } = remembered({ '192.0.2.1': '203.0.113.1' })
  await lookUp('192.0.2.1')
  expect(await lookUp('192.0.2.2')).toBeUndefined()
  expect(await lookUp('192.0.2.2')).toBeUndefined()
  expect(await lookUp('192.0.2.3')).toBeUndefined()
  expect(await lookUp('192.0.2.1')).toBe('203.0.113.1')
  expect(asked).toEqual(['192.0.2.1', '192.0.2.2'])
  pass(10_000)
  await lookUp('192.0.2.2')
  expect(asked).toHaveLength(3)
})

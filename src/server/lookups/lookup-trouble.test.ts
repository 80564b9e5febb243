import { pino } from 'pino'
import { expect, it } from 'vitest'
import { makeLookupTrouble } from './lookup-trouble.ts'

it('says each trouble once a minute, and how often it was met meanwhile', () => {
  const lines: string[] = []
  let now = 0
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) })
  const trouble = makeLookupTrouble(log, () => now)
  const said = () => lines.splice(0).map((line) => JSON.parse(line))

  for (let visitors = 0; visitors < 500; visitors += 1) trouble('zip lookup', 'refused-key')
  trouble('zip lookup', 'timeout')
  expect(said()).toMatchObject([
    { level: 50, service: 'zip lookup', reason: 'refused-key', alsoSinceLast: 0 },
    { level: 40, service: 'zip lookup', reason: 'timeout' },
  ])
  now = 59_999
  trouble('zip lookup', 'refused-key')
  expect(said()).toEqual([])
  now = 60_000
  trouble('zip lookup', 'refused-key')
  expect(said()).toMatchObject([{ reason: 'refused-key', alsoSinceLast: 500 }])
})

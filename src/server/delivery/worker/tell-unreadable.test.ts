import { pino } from 'pino'
import { expect, test } from 'vitest'
import { makeTellUnreadable } from './tell-unreadable.ts'

function listen() {
  const lines: string[] = []
  const tell = makeTellUnreadable(pino({ base: null }, { write: (line) => lines.push(line) }))
  return { tell, said: () => lines.map((line) => JSON.parse(line)) }
}

const warn = 40

test('a damaged lead is a warning with its id and the parts’ names', () => {
  const { tell, said } = listen()
  tell({ leadId: 'a', parts: ['program.name', 'phone'], isNewer: false })
  expect(said()).toMatchObject([
    {
      level: warn,
      leadId: 'a',
      parts: ['program.name', 'phone'],
      msg: expect.stringMatching(/^a lead is dead: what is stored of it cannot be read/),
    },
  ])
})

test('one of a newer release is told of once, however often it comes again', () => {
  const { tell, said } = listen()
  for (const leadId of ['a', 'b', 'a', 'a']) tell({ leadId, parts: ['format'], isNewer: true })
  expect(said().map(({ level, leadId }) => [level, leadId])).toEqual([
    [warn, 'a'],
    [warn, 'b'],
  ])
})

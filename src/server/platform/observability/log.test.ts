import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

/** Writes more than a pipe holds, which is 64 KB on Linux. */
const verboseScript = `
  import { makeLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url))}
  const log = makeLog('info')
  for (let line = 0; line < 2000; line++) log.info({ line }, 'x'.repeat(100))
`

const lastWords = `
  import { makeLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url))}
  makeLog('info').info('last words')
`

test('a reader of the log that has stalled does not delay the end', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', verboseScript], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  child.stdout.destroy()
  expect(code).toBe(0)
})

test('a reader that keeps up loses no line', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', verboseScript], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = (await child.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).line)).toEqual([...Array(2000).keys()])
})

test.each([
  ['exits', 'process.exit(3)', 3],
  ['ends with an unexpected error', "throw new Error('unexpected')", 1],
])('the last lines are written if the process %s', async (_, end, status) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${lastWords} ${end}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  const [line = ''] = await child.stdout.setEncoding('utf8').toArray()
  expect(JSON.parse(line).msg).toBe('last words')
  expect((await exit)[0]).toBe(status)
})

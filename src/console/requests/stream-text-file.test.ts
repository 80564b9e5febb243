import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { ConsoleEnv } from '#console/console-services.ts'
import { streamTextFile } from './stream-text-file.ts'

/** Starts the download of a file with many parts, whose permission the test can take away. */
async function download() {
  let isPermitted = true
  let written = 0
  let isOver = false
  async function* parts() {
    try {
      for (; written < 1000; written++) yield 'x'.repeat(100_000)
    } finally {
      isOver = true
    }
  }
  const app = new Hono<ConsoleEnv>().get('/', (c) =>
    streamTextFile(c, parts(), { name: 'leads', format: 'csv', day: 0 }, async () => {
      if (!isPermitted) throw new Error('the permission has ended')
    }),
  )
  const { body } = await app.request('/')
  if (body === null) throw new Error('There is no body.')
  return {
    reader: body.getReader(),
    written: () => written,
    isOver: () => isOver,
    endPermission: () => {
      isPermitted = false
    },
  }
}

test('a file is cut off at the next part once the permission has ended', async () => {
  const { reader, written, isOver, endPermission } = await download()
  expect((await reader.read()).value?.length).toBe(100_000)
  endPermission()
  const before = written()
  const readOn = async () => {
    for (let parts = 0; parts < 10; parts++) await reader.read()
  }
  await expect(readOn()).rejects.toThrow('the permission has ended')
  expect(written()).toBeLessThanOrEqual(before + 1)
  expect(isOver()).toBe(true)
})

import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { freePort } from '#tests/product/free-port.ts'
import { startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { startHostileServer } from '#tests/third-parties/hostile-server.ts'

const dataDir = join(tmpdir(), 'enquiry-that-nobody-makes')

async function check(variables: Record<string, string>) {
  const ended = await sayVerb({ dataDir }, ['check'], variables)
  expect(existsSync(dataDir)).toBe(false)
  return ended
}

test('each third party is looked at without a lead and without a call that costs, and every fault is said at once', async () => {
  const asked: string[] = []
  const distributor = await startHostileServer((socket, request) => {
    asked.push(request)
    socket.destroy()
  })
  const ip = await startAnsweringServer([{ status: 200, body: { ip: '8.8.8.8' } }])
  onTestFinished(async () => void (await Promise.all([distributor.stop(), ip.stop()])))
  const nobody = `http://127.0.0.1:${await freePort()}`
  const { code, stdout, stderr } = await check({
    DISTRIBUTOR_URL: `${distributor.url}/incoming?key=open-sesame`,
    GEOCODING_URL: nobody,
    IP_LOOKUP_URL: `${ip.url}/{ip}`,
    DATABASE_URL: `postgres://user:open-sesame@127.0.0.1:${await freePort()}/leads`,
  })
  expect(code).toBe(78)
  expect(stdout).toMatch(/^right +settings +demo, ROLE=all$/m)
  expect(stdout).toMatch(/^right +catalogue +70 programs on offer$/m)
  expect(stdout).toMatch(/^right +words +5 landing pages in content\/$/m)
  expect(stdout).toMatch(/^right +distributor .*no request was made/m)
  expect(stdout).toMatch(/^FAULT +geocoding .*ECONNREFUSED/m)
  expect(stdout).toMatch(/^right +address validation +the sandbox’s/m)
  expect(stdout).toMatch(/^FAULT +IP lookup .*no IPv4 to read/m)
  expect(stdout).toMatch(/^FAULT +PostgreSQL .*ECONNREFUSED/m)
  expect(stderr).toContain('3 faults')
  expect(stdout + stderr).not.toContain('open-sesame')
  expect(asked).toEqual([])
})

test('what is right is 0; settings that are wrong are all told', async () => {
  const ip = await startAnsweringServer(
    ['8.8.8.8', 'Not found'].map((IPv4) => ({ status: 200, body: { IPv4 } })),
  )
  onTestFinished(ip.stop)
  const right = await check({ IP_LOOKUP_URL: ip.url, ADDRESS_CHECK: 'offline' })
  expect(right).toMatchObject({ code: 0, stderr: '' })
  expect(right.stdout).toMatch(/^right +IP lookup .*answered with an IPv4$/m)
  const unknowing = await check({ IP_LOOKUP_URL: ip.url, ADDRESS_CHECK: 'offline' })
  expect(unknowing.code).toBe(78)
  expect(unknowing.stdout).toMatch(/^FAULT +IP lookup .*every lead would carry FALLBACK_IP/m)
  const wrong = await check({ PORT: 'eighty', ROLE: 'boss' })
  expect(wrong.code).toBe(78)
  expect(wrong.stdout).toMatch(/^FAULT +settings +PORT /m)
  expect(wrong.stdout).toMatch(/^FAULT +settings +ROLE /m)
})

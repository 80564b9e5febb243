import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decodeLead } from '#sandbox/lead-ledger.ts'
import { sayVerb } from '#tests/cli/say-verb.ts'
import { freePort } from '#tests/product/free-port.ts'
import { startAnsweringServer } from '#tests/third-parties/answering-server.ts'

const dataDir = join(tmpdir(), 'enquiry-that-nobody-makes')

async function sendTestLead(variables: Record<string, string>, ...args: string[]) {
  const ended = await sayVerb({ dataDir }, ['send-test-lead', ...args], variables)
  expect(existsSync(dataDir)).toBe(false)
  return ended
}

test('a test lead is marked in both encodings, is not stored, and its response is printed', async () => {
  const distributor = await startAnsweringServer([
    { status: 200, body: { status: 'success' } },
    { status: 200, body: { status: 'failure', reason: { base: ['Program is inactivated'] } } },
  ])
  onTestFinished(distributor.stop)
  const DISTRIBUTOR_URL = `${distributor.url}/incoming/leads`

  const unsure = await sendTestLead({ DISTRIBUTOR_URL })
  expect(unsure).toMatchObject({
    code: 2,
    stderr: 'Nothing was sent. Give --yes to send the test lead.\n',
  })
  expect(distributor.requests).toEqual([])

  const taken = await sendTestLead({ DISTRIBUTOR_URL }, '--yes', '--program', '15')
  expect(taken.code).toBe(0)
  expect(taken.stdout).toMatch(/^127\.0\.0\.1:\d+: delivered \(HTTP 200\)\./)
  const rejected = await sendTestLead({ DISTRIBUTOR_URL, DISTRIBUTOR_ENCODING: 'form' }, '--yes')
  expect(rejected.code).toBe(1)
  expect(rejected.stderr).toMatch(/: rejected \(.*\n.*inactivated/)

  const [json = '', form = ''] = distributor.requests.map((request) => request.split('\r\n\r\n')[1])
  expect(decodeLead(json, 'application/json')).toMatchObject({
    lead: { firstname: 'Test', lastname: 'Lead', test: true },
    lead_education: { program_id: 15 },
  })
  expect(decodeLead(form, 'application/x-www-form-urlencoded')).toMatchObject({
    lead: { lastname: 'Lead', test: 'true' },
  })
})

test('an unreachable distributor gives exit code 69, and an unknown program a usage error', async () => {
  const DISTRIBUTOR_URL = `http://127.0.0.1:${await freePort()}/`
  const away = await sendTestLead({ DISTRIBUTOR_URL }, '--yes')
  expect(away.code).toBe(69)
  expect(away.stderr).toContain('unreachable (no-connection (ECONNREFUSED))')
  const nowhere = await sendTestLead({ APP_MODE: 'production' }, '--yes')
  expect(nowhere).toMatchObject({ code: 78, stdout: '' })
  expect(nowhere.stderr).toContain('DISTRIBUTOR_URL is not set')
  const unknown = await sendTestLead({ DISTRIBUTOR_URL }, '--yes', '--program', '999')
  expect(unknown).toMatchObject({ code: 2, stderr: 'No program on offer has the id 999.\n' })
})

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { productUnits, restart, stop } from '../../deploy/releases/units.mjs'

/**
 * A systemctl that says this, whatever it is asked.
 * @returns what it was asked
 */
function standInSystemctl(said: string) {
  const bin = mkdtempSync(join(tmpdir(), 'units-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  writeFileSync(
    join(bin, 'systemctl'),
    `#!/bin/sh\necho "$*" >>'${bin}/asked'\ncat <<'EOF'\n${said}\nEOF\n`,
    {
      mode: 0o755,
    },
  )
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return () => readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n')
}

/** A process that is ready, and answers a page with this status. */
async function startProcess(status: number) {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? 200 : status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  standInSystemctl(`0.2.0, http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

test('a release is tried with the settings of a process that visitors meet; the console comes last', async () => {
  const names = ['console', 'web-1', 'web-2', 'worker'].map(
    (name) => `campus-enquiry@${name}.service`,
  )
  standInSystemctl(names.map((name) => `${name} loaded active running Campus`).join('\n'))
  expect(await productUnits()).toEqual([...names.slice(1), names[0]])
})

test('a console that answers to its own name alone serves; a page that fails does not', async () => {
  await startProcess(421)
  await expect(restart('campus-enquiry@console.service')).resolves.toBeUndefined()
  await startProcess(500)
  await expect(restart('campus-enquiry@web-1.service')).rejects.toThrow('answers / with 500')
})

test('a trial that failed is no unit that has failed, to whoever watches those', async () => {
  const asked = standInSystemctl('')
  const trial = 'campus-enquiry-trial@all.service'
  await stop(trial)
  expect(asked()).toEqual([`stop ${trial}`, `reset-failed ${trial}`])
})

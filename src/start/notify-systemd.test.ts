import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notifySystemd } from './announce-start.ts'

function withNotify(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'))
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\n${script}`, { mode: 0o755 })
  vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter))
  vi.stubEnv('GOOGLE_MAPS_API_KEY', 'open-sesame')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  return join(folder, 'said')
}

test('systemd’s own program notifies it and receives none of our secrets', async () => {
  const said = withNotify('{ echo "$@"; env; } >"$(dirname "$0")/said"')
  const error = vi.fn()
  await notifySystemd('/run/systemd/notify', '1.0.0, http://127.0.0.1:3000', { error })
  const text = readFileSync(said, 'utf8')
  expect(text).toMatch(/^--ready --status=1\.0\.0, http:\/\/127.0.0.1:3000\n/)
  expect(text).toContain('NOTIFY_SOCKET=/run/systemd/notify\n')
  expect(text).not.toContain('open-sesame')
  expect(error).not.toHaveBeenCalled()
})

test('without systemd nothing is called, and a failed call is only logged', async () => {
  withNotify('exit 1')
  const error = vi.fn()
  await notifySystemd(undefined, 'ready', { error })
  await notifySystemd('', 'ready', { error })
  expect(error).not.toHaveBeenCalled()
  await notifySystemd('/run/systemd/notify', 'ready', { error })
  expect(error).toHaveBeenCalledOnce()
})

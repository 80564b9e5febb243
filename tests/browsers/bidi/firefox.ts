import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidate } from '../browser.ts'
import { endProcess, remember } from '../end-process.ts'
import { lineOf } from '../line-of.ts'
import { bidiTab } from './bidi-tab.ts'
import { type Connection, connect } from './connect.ts'

/** BiDi could set the size as well, but it never answers if scripts are disabled. */
const headless = ['--headless', '--width', '1280', '--height', '1000']

/** Firefox itself, which supports BiDi without geckodriver. */
export const firefox = (executable: string): Candidate => ({
  name: 'Firefox',
  protocol: 'WebDriver BiDi',
  async start({ javaScript }) {
    const profile = await mkdtemp(join(tmpdir(), 'firefox-'))
    // Firefox 153 does not have BiDi's own setting for scripts yet.
    await writeFile(join(profile, 'user.js'), `user_pref("javascript.enabled", ${javaScript});\n`)
    const args = ['--no-remote', '--profile', profile, '--remote-debugging-port', '0', ...headless]
    const process = remember(spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
    const end = async () => {
      await endProcess(process)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    }
    try {
      const { connection, version } = await openSession(process)
      return {
        version,
        newTab: () => bidiTab(connection),
        async close() {
          const gone = once(process, 'exit')
          await connection.send('browser.close')
          await gone
          await end()
        },
      }
    } catch (error) {
      await end()
      throw error
    }
  },
})

async function openSession(
  process: ChildProcess,
): Promise<{ connection: Connection; version: string }> {
  const [, url] = await lineOf(process, process.stderr, /WebDriver BiDi listening on (ws:\S+)/)
  const connection = await connect(`${url}/session`)
  const { capabilities } = await connection.send<{ capabilities: { browserVersion: string } }>(
    'session.new',
    { capabilities: {} },
  )
  await connection.send('session.subscribe', { events: ['browsingContext.load'] })
  return { connection, version: capabilities.browserVersion }
}

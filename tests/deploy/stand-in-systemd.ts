import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { parseEnv } from 'node:util'

const unitsFolder = resolve(import.meta.dirname, '../../deploy/systemd')

/** Folders on this machine in place of the units' folders. */
export interface Places {
  /** In place of /opt/campus-enquiry. */
  readonly product: string
  /** In place of /etc/campus-enquiry, including its secrets. */
  readonly settings: string
}

interface Running {
  readonly child: ChildProcess
  status: string
}

/**
 * Simulates the part of systemd that deploy/upgrade.sh and the units need: `systemctl
 * start|restart|stop|show|list-units` with the product's own unit files, their settings, folders and `Type=notify`. The
 * units' protections are ignored.
 */
export async function startStandInSystemd(places: Places) {
  const bin = await mkdtemp(join(tmpdir(), 'systemd-'))
  const units = new Map<string, Running>()
  let tellReady = new Map<string, (status: string) => void>()

  const stop = async (unit: string) => {
    const child = units.get(unit)?.child
    units.delete(unit)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const start = async (unit: string) => {
    const { cwd, words, env } = readUnit(unit, places)
    const [command = '', ...args] = words
    const child = spawn(command, args, {
      cwd,
      env: { PATH: `${bin}:${process.env.PATH}`, NOTIFY_SOCKET: unit, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr?.on('data', (text) => {
      said += text
    })
    const running: Running = { child, status: '' }
    units.set(unit, running)
    const ready = new Promise<string>((resolve) => tellReady.set(unit, resolve))
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`Job for ${unit} failed (${code}).\n${said}`)
    })
    running.status = await Promise.race([ready, ended])
    ended.catch(() => undefined)
  }
  const systemctl = async ([verb = '', ...words]: readonly string[]): Promise<string> => {
    const unit = words.at(-1) ?? ''
    if (verb === 'list-units') {
      const names = [...units.keys()].filter((name) => name.startsWith('campus-enquiry@'))
      return names.map((name) => `${name} loaded active running Campus Enquiry\n`).join('')
    }
    if (verb === 'show') return `${units.get(unit)?.status ?? ''}\n`
    if (verb === 'stop' || verb === 'restart') await stop(unit)
    if (verb === 'start' || verb === 'restart') await start(unit)
    return ''
  }

  const server = createServer(async (request, response) => {
    const { command, unit, args } = (await json(request)) as Record<string, string>
    const words = (args ?? '').split('\n')
    if (command === 'systemd-notify') {
      const status = words.find((word) => word.startsWith('--status='))
      tellReady.get(unit ?? '')?.(status?.slice('--status='.length) ?? '')
      response.end()
      return
    }
    await systemctl(words).then(
      (said) => response.end(said),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const command of ['systemctl', 'systemd-notify']) {
    await writeFile(join(bin, command), ask(command, port), { mode: 0o755 })
  }
  return {
    /** The folder that must be first on the PATH of a process that calls systemctl. */
    bin,
    systemctl: (...words: readonly string[]) => systemctl(words),
    stop: async () => {
      await Promise.all([...units.keys()].map(stop))
      tellReady = new Map()
      server.close()
      server.closeAllConnections()
      await rm(bin, { recursive: true })
    },
  }
}

const ask = (command: string, port: number) => `#!${process.execPath}
const reply = await fetch('http://127.0.0.1:${port}', {
  method: 'POST',
  body: JSON.stringify({
    command: '${command}', unit: process.env.NOTIFY_SOCKET, args: process.argv.slice(2).join('\\n'),
  }),
})
const said = await reply.text()
process[reply.ok ? 'stdout' : 'stderr'].write(said)
process.exitCode = reply.ok ? 0 : 1
`

function readUnit(unit: string, places: Places) {
  const [, name = '', instance = ''] = /^(.+)@(.+)\.service$/.exec(unit) ?? []
  const whole = readFileSync(join(unitsFolder, `${name}@.service`), 'utf8')
    .replaceAll('%i', instance)
    .replaceAll('%d', join(places.settings, 'secrets'))
    .replaceAll('/opt/campus-enquiry', places.product)
    .replaceAll('/etc/campus-enquiry', places.settings)
    .replaceAll('/var/lib/', `${places.product}/`)
  const all = (key: string) =>
    [...whole.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const files = all('EnvironmentFile').map((file) => parseEnv(readFileSync(file, 'utf8')))
  return {
    cwd: all('WorkingDirectory').at(-1) ?? '',
    words: all('ExecStart').at(-1)?.split(' ') ?? [],
    env: Object.assign({}, parseEnv(all('Environment').join('\n')), ...files) as NodeJS.ProcessEnv,
  }
}

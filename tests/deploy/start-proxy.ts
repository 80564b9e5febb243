import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { get as getPlainly } from 'node:http'
import { get as getSecurely } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '#tests/product/free-port.ts'
import { toolPath } from '#tests/programs/tool-path.ts'

const root = resolve(import.meta.dirname, '../..')

export interface RunningProxy {
  /** The origin in the visitors' address bar. */
  readonly origin: string
  /** nginx alone: the origin that redirects visitors to https. */
  readonly plainOrigin?: string
  /** Everything that the proxy has logged so far. */
  logged(): Promise<string>
  stop(): Promise<void>
}

interface ProxyParts {
  /** Ports of the web processes. */
  readonly upstreams: readonly number[]
  /** The port that the console listens on, and its origin for operators. */
  readonly console?: { readonly upstream: number; readonly origin: string }
  /** The networks whose X-Forwarded-For the proxy passes on. */
  readonly cdnNetworks?: string
  /** Whether Caddy creates its own certificate, so that visitors use https. */
  readonly endsTls?: boolean
}

/** Starts Caddy with deploy/Caddyfile. */
export async function startCaddy({
  upstreams,
  console,
  cdnNetworks = '',
  endsTls = false,
}: ProxyParts): Promise<RunningProxy> {
  const origin = `${endsTls ? 'https://localhost' : 'http://127.0.0.1'}:${await freePort()}`
  const certificates = endsTls
    ? 'local_certs\n\tskip_install_trust\n\tauto_https disable_redirects'
    : 'auto_https off'
  const folder = await mkdtemp(join(tmpdir(), 'caddy-'))
  const file = join(folder, 'Caddyfile')
  const shipped = await readFile(join(root, 'deploy/Caddyfile'), 'utf8')
  await writeFile(file, shipped.replace(/^\{\n/m, `{\n\tadmin off\n\t${certificates}\n`))
  const caddy = spawn(toolPath('caddy'), ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: {
      HOME: folder,
      SITE_ORIGIN: origin,
      UPSTREAMS: upstreams.map((port) => `127.0.0.1:${port}`).join(' '),
      CONSOLE_ORIGIN: console?.origin ?? `http://127.0.0.1:${await freePort()}`,
      CONSOLE_UPSTREAM: `127.0.0.1:${console?.upstream ?? 1}`,
      CDN_NETWORKS: cdnNetworks,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return running(caddy, origin, folder)
}

/** Starts nginx with deploy/nginx, without a certificate and on another port. */
export async function startNginx({ upstreams, console }: ProxyParts): Promise<RunningProxy> {
  const [port, plainPort] = [await freePort(), await freePort()]
  const consolePort = console ? Number(new URL(console.origin).port) : undefined
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const read = (name: string) => readFile(join(root, 'deploy/nginx', name), 'utf8')
  const site = withoutCertificate(await read('campus-enquiry.conf'), plainPort, port).replaceAll(
    /127\.0\.0\.1:300([12])\b/g,
    (_, which) => `127.0.0.1:${upstreams[which - 1]}`,
  )
  const desk = console
    ? withoutCertificate(await read('campus-enquiry-console.conf'), plainPort, consolePort)
        .replace(/127\.0\.0\.1:3004\b/, `127.0.0.1:${console.upstream}`)
        .replace('server_name 127.0.0.1', 'server_name console.example.edu')
    : ''
  // nginx reads the files of conf.d in the order of their names.
  const servers = [
    desk,
    withoutCertificate(await read('campus-enquiry-default.conf'), plainPort, port, consolePort),
    site,
  ]
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    // As root, nginx would let a worker without rights to this folder store large bodies.
    `daemon off;\n${process.getuid?.() === 0 ? 'user root root;\n' : ''}pid ${folder}/pid;\nworker_processes 1;\nerror_log stderr warn;\n` +
      `events {}\nhttp {\naccess_log off;\n${paths}\n${servers.join('\n')}}\n`.replaceAll(
        '/var/log/nginx/',
        `${folder}/`,
      ),
  )
  const nginx = spawn(toolPath('nginx'), ['-p', folder, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const proxy = await running(nginx, `http://127.0.0.1:${port}`, folder)
  return { ...proxy, plainOrigin: `http://127.0.0.1:${plainPort}` }
}

/** Replaces the ports, and the hosts by this machine's, and removes TLS. */
const withoutCertificate = (
  config: string,
  plainPort: number,
  ...ports: readonly (number | undefined)[]
): string =>
  config
    .replaceAll(/^\tssl_.*\n|^\tlisten \[.*\n/gm, '')
    .replaceAll('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replaceAll(/\tlisten 443 ssl http2(.*;)\n/g, (_, rest: string) =>
      ports.map((port) => (port ? `\tlisten 127.0.0.1:${port}${rest}\n` : '')).join(''),
    )
    .replaceAll(/server_name [\w.]+\.edu/g, 'server_name 127.0.0.1')

async function running(proxy: ChildProcess, origin: string, folder: string): Promise<RunningProxy> {
  let failed = ''
  proxy.on('error', (error) => {
    failed = error.message
  })
  let said = ''
  proxy.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  // The two proxies have no common message that they listen, so this asks until one answers.
  while (!(await answers(origin))) {
    if (failed !== '' || proxy.exitCode !== null) {
      throw new Error(`the proxy ended: ${failed}${said}`)
    }
    await setTimeout(20)
  }
  return {
    origin,
    logged: async () => {
      const files = (await readdir(folder)).filter((name) => name.endsWith('.log'))
      const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
      return [said, ...texts].join('')
    },
    stop: async () => {
      if (proxy.exitCode === null) {
        proxy.kill('SIGTERM')
        await once(proxy, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function answers(origin: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const get = origin.startsWith('https:') ? getSecurely : getPlainly
  get(`${origin}/metrics`, { rejectUnauthorized: false, agent: false }, (reply) => {
    reply.resume()
    resolve(reply.statusCode === 404)
  }).on('error', () => resolve(false))
  return promise
}

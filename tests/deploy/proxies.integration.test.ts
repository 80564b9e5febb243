import { expect, onTestFinished, test } from 'vitest'
import { startInProcess } from '#tests/product/start-in-process.ts'
import { type RunningProxy, startCaddy, startNginx } from './start-proxy.ts'

test('Caddy and nginx, as deploy has them: the site is served, monitors’ paths are not, and no visitor says who he is', async () => {
  const product = await startInProcess({ TRUSTED_PROXIES: '127.0.0.1', IP_LOOKUP_URL: '' })
  onTestFinished(product.stop)
  const port = Number(new URL(product.url).port)
  const upstreams = [port, port]
  const kept = async (starting: Promise<RunningProxy>) => {
    const { origin, stop } = await starting
    onTestFinished(stop)
    return origin
  }
  const claim = { 'x-forwarded-for': '198.51.100.7' }
  const ipAt = async (origin: string) =>
    (await fetch(`${origin}/api/ip-address`, { headers: claim })).json()

  for (const start of [startCaddy, startNginx]) {
    const origin = await kept(start({ upstreams }))
    expect((await fetch(`${origin}/business`)).status).toBe(200)
    for (const path of ['healthz', 'metrics', 'readyz']) {
      expect((await fetch(`${origin}/${path}`)).status, path).toBe(404)
    }
    expect(await ipAt(origin)).toEqual({ IPv4: '127.0.0.1' })
  }
  // Whoever asks is the CDN here.
  const behindCdn = await kept(startCaddy({ upstreams, cdnNetworks: '127.0.0.0/8 ::1/128' }))
  expect(await ipAt(behindCdn)).toEqual({ IPv4: '198.51.100.7' })
})

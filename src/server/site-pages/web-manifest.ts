import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { neutrals } from '#content/neutral-colors.ts'
import { sendFile } from '#server/platform/http/assets.ts'

/** What a device takes when the site is put on its home screen: https://w3c.github.io/manifest/ */
export function webManifest(school: string) {
  const text = JSON.stringify({
    name: school,
    start_url: '/',
    display: 'browser',
    theme_color: neutrals.light.ground,
    background_color: neutrals.light.ground,
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      {
        src: '/icons/icon-512-maskable.png',
        sizes: '512x512',
        type: 'image/png',
        purpose: 'any maskable',
      },
    ],
  })
  const headers = {
    type: 'application/manifest+json; charset=utf-8',
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    cacheControl: 'public, max-age=86400',
  }
  return new Hono().get('/manifest.webmanifest', etag(), (c) =>
    sendFile(c, headers, Buffer.from(text)),
  )
}

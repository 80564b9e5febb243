import type { Page } from '@playwright/test'

/** A form of the console as another page could copy it: everything except the token. */
export interface StolenForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** The data of the console that the other page could read; empty if the console is safe from it. */
export type Loot = readonly string[]

export interface Target {
  readonly paths: readonly string[]
  readonly forms: readonly StolenForm[]
  /** Whether to try only a form, a frame and a request of each, because each further frame costs a process. */
  readonly byMainWays?: boolean
}

/**
 * Tries everything from this page that a page of another origin can do to the console with the browser's cookies.
 * Resolves once everything has been answered or refused.
 */
export const attackFrom = (page: Page, desk: string, target: Target): Promise<Loot> =>
  page.evaluate(
    async ({ desk, paths, forms, byMainWays = false }) => {
      const ways = <Way>(...all: readonly Way[]) => (byMainWays ? all.slice(0, 1) : all)
      const loot: string[] = []
      const settle = (element: HTMLElement) =>
        new Promise<void>((resolve) => {
          element.addEventListener('load', () => resolve())
          element.addEventListener('error', () => resolve())
        })

      for (const { action, fields } of forms) {
        for (const enctype of ways(
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'text/plain',
        )) {
          const frame = document.createElement('iframe')
          frame.name = `frame-${Math.random()}`
          const form = document.createElement('form')
          Object.assign(form, {
            method: 'post',
            action: desk + action,
            target: frame.name,
            enctype,
          })
          for (const [name, value] of Object.entries(fields)) {
            const field = document.createElement('input')
            Object.assign(field, { type: 'hidden', name, value })
            form.append(field)
          }
          document.body.append(frame, form)
          const answered = settle(frame)
          // A button named `submit` would hide the form's method.
          HTMLFormElement.prototype.submit.call(form)
          await answered
          frame.remove()
          form.remove()
        }
        for (const mode of ways<RequestMode>('no-cors', 'cors', 'same-origin', 'navigate')) {
          await fetch(desk + action, {
            method: 'POST',
            mode,
            credentials: 'include',
            body: new URLSearchParams(fields),
          }).then(
            ({ type }) => type !== 'opaque' && loot.push(`POST ${action} by ${mode}`),
            () => undefined,
          )
        }
        navigator.sendBeacon(desk + action, new URLSearchParams(fields))
      }

      for (const path of paths) {
        for (const mode of ways<RequestMode>('cors', 'no-cors', 'same-origin')) {
          await fetch(desk + path, { mode, credentials: 'include' }).then(
            ({ type }) => type !== 'opaque' && loot.push(`GET ${path} by ${mode}`),
            () => undefined,
          )
        }
        for (const tag of ways('iframe', 'object', 'embed', 'img', 'script')) {
          const element = document.createElement(tag)
          element.setAttribute(tag === 'object' ? 'data' : 'src', desk + path)
          // An `object` without an answer fires no event.
          const answered = tag === 'object' || tag === 'embed' ? undefined : settle(element)
          document.body.append(element)
          await answered
          // Each frame that stays costs a process.
          if (answered) element.remove()
        }
        await new Promise<void>((resolve) => {
          const source = new EventSource(desk + path, { withCredentials: true })
          source.onopen = () => {
            loot.push(`events of ${path}`)
            source.close()
            resolve()
          }
          source.onerror = () => {
            source.close()
            resolve()
          }
        })
        // A browser delays each further one to the same server by seconds.
        if (byMainWays) continue
        await new Promise<void>((resolve) => {
          const socket = new WebSocket(desk.replace('http', 'ws') + path)
          socket.onopen = () => {
            loot.push(`a WebSocket at ${path}`)
            resolve()
          }
          socket.onerror = () => resolve()
        })
      }
      return loot
    },
    { desk, ...target },
  )

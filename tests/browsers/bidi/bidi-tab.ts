import type { Found, Tab } from '../browser.ts'
import { clicking, pressing, typing } from '../input-actions.ts'
import type { Connection } from './connect.ts'

interface Node {
  readonly sharedId: string
}

type Evaluated =
  | { readonly type: 'success'; readonly result: { readonly value: unknown } }
  | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } }

/** A tab in its own user context, controlled through WebDriver BiDi. */
export async function bidiTab({ send, onLoad }: Connection): Promise<Tab> {
  const { userContext } = await send<{ userContext: string }>('browser.createUserContext')
  const { context } = await send<{ context: string }>('browsingContext.create', {
    type: 'tab',
    userContext,
  })

  // Firefox 153 never answers a call to a page that has been replaced meanwhile.
  let leaving = Promise.withResolvers<never>()
  onLoad(context, () => {
    leaving.promise.catch(() => undefined)
    leaving.reject(new Error('another page came'))
    leaving = Promise.withResolvers()
  })
  const ask = <Result>(method: string, params: object) =>
    Promise.race([send<Result>(method, { context, ...params }), leaving.promise])

  const perform = (actions: ReturnType<typeof typing>) =>
    send<void>('input.performActions', { context, actions })

  // The call runs in a sandbox, which works even if the page's own scripts are disabled.
  async function call(declaration: string, node: Node, ...args: string[]): Promise<unknown> {
    const evaluated = await ask<Evaluated>('script.callFunction', {
      functionDeclaration: declaration,
      target: { context, sandbox: 'stories' },
      arguments: [{ sharedId: node.sharedId }, ...args.map((value) => ({ type: 'string', value }))],
      awaitPromise: false,
    })
    if (evaluated.type === 'exception') throw new Error(evaluated.exceptionDetails.text)
    return evaluated.result.value
  }

  const found = (node: Node): Found => ({
    read: async <T>(from: (element: HTMLElement) => T) => (await call(from.toString(), node)) as T,
    async click() {
      await call(
        `(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })`,
        node,
      )
      await perform(clicking({ type: 'element', element: { sharedId: node.sharedId } }))
    },
    // Chooses by keyboard, because the list of a closed select is not in the page and cannot be clicked.
    async choose(option) {
      const index = await call(
        '(select, wanted) => { select.focus(); return [...select.options].findIndex(({ text }) => text === wanted) }',
        node,
        option,
      )
      if (Number(index) < 0) throw new Error(`no option reads ${option}`)
      await perform(pressing('Home'))
      await perform(pressing('ArrowDown', Number(index)))
    },
  })

  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    reload: () => send('browsingContext.reload', { context, wait: 'complete' }),
    back: () => send('browsingContext.traverseHistory', { context, delta: -1 }),
    async find(role, name) {
      const value = name === undefined ? { role } : { role, name }
      const { nodes } = await ask<{ nodes: Node[] }>('browsingContext.locateNodes', {
        locator: { type: 'accessibility', value },
      })
      return nodes.map(found)
    },
    type: (text) => perform(typing(text)),
    press: (key) => perform(pressing(key)),
    async screenshot() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', {
        context,
      })
      return Buffer.from(data, 'base64')
    },
    async close() {
      await send('browser.removeUserContext', { userContext })
    },
  }
}

import type { Found, Role, Tab } from '../browser.ts'
import { pressing, typing } from '../input-actions.ts'
import type { WebDriver } from './web-driver.ts'

/** A reference to an element: an object with one entry, whose key the standard defines. */
type ElementReference = Readonly<Record<string, string>>

/** Elements that may have the role. WebKit's computed role decides, except for a select, which WebKit calls a button. */
const candidates: Record<Role, string> = {
  heading: 'h1, h2, h3',
  textbox: 'input:not([type=hidden], [type=checkbox])',
  combobox: 'select',
  checkbox: 'input[type=checkbox]',
  button: 'button',
}

/** A tab in its own session, controlled through WebDriver. */
export async function webDriverTab(
  driver: WebDriver,
  capabilities: object,
): Promise<Tab & { readonly version: string }> {
  const session = await driver<{ sessionId: string; capabilities: { browserVersion: string } }>(
    'POST',
    '/session',
    { capabilities: { alwaysMatch: capabilities } },
  )
  const path = `/session/${session.sessionId}`
  const post = <Value = void>(command: string, parameters?: object) =>
    driver<Value>('POST', `${path}${command}`, parameters)
  await post('/window/rect', { width: 1280, height: 940 })

  function found(reference: ElementReference) {
    const at = `/element/${Object.values(reference)[0]}`
    const get = <Value>(property: string) => driver<Value>('GET', `${path}${at}${property}`)
    return {
      async is(role: Role, name: string | undefined) {
        return (
          (await get<boolean>('/displayed')) &&
          (role === 'combobox' || (await get<string>('/computedrole')) === role) &&
          (name === undefined || (await get<string>('/computedlabel')) === name)
        )
      },
      read: <T>(from: (element: HTMLElement) => T) =>
        post<T>('/execute/sync', { script: `return (${from})(arguments[0])`, args: [reference] }),
      click: () => post(`${at}/click`),
      async choose(option: string) {
        const using = { using: 'xpath', value: `.//option[normalize-space()="${option}"]` }
        const choice = await post<ElementReference>(`${at}/element`, using)
        await post(`/element/${Object.values(choice)[0]}/click`)
      },
    } satisfies Found & Record<string, unknown>
  }

  return {
    version: session.capabilities.browserVersion,
    open: (url) => post('/url', { url }),
    reload: () => post('/refresh'),
    back: () => post('/back'),
    async find(role, name) {
      const using = { using: 'css selector', value: candidates[role] }
      const all = (await post<ElementReference[]>('/elements', using)).map(found)
      const fitting = await Promise.all(all.map((element) => element.is(role, name)))
      return all.filter((_, index) => fitting[index])
    },
    type: (text) => post('/actions', { actions: typing(text) }),
    press: (key) => post('/actions', { actions: pressing(key) }),
    screenshot: async () =>
      Buffer.from(await driver<string>('GET', `${path}/screenshot`), 'base64'),
    close: () => driver('DELETE', path),
  }
}

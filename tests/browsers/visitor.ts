import assert from 'node:assert/strict'
import type { Found, Role, Tab } from './browser.ts'
import { eventually } from './eventually.ts'

export type Visitor = ReturnType<typeof visitorOf>

/** A visitor's actions and expectations in any browser. Every expectation waits until it is met. */
export function visitorOf(tab: Tab, origin: string) {
  const the = (role: Role, name?: string) => eventually(() => one(tab, role, name))

  /** Finds and checks the element in one attempt, because a step's elements are replaced with the step. */
  const sees = (role: Role, name: string | undefined, check: (found: Found) => Promise<void>) =>
    eventually(async () => check(await one(tab, role, name)))

  return {
    open: (path: string) => tab.open(`${origin}${path}`),
    reload: () => tab.reload(),
    back: () => tab.back(),
    type: (text: string) => tab.type(text),
    key: (...[key]: Parameters<Tab['press']>) => tab.press(key),

    async fill(label: string, text: string) {
      await (await the('textbox', label)).click()
      await tab.press('Control+a')
      await (text === '' ? tab.press('Delete') : tab.type(text))
      // WebKitGTK reports that it has typed before all keys have arrived.
      await sees('textbox', label, async (field) =>
        assert.equal(bare(await field.read(valueIn)), bare(text)),
      )
    },
    async focus(label: string) {
      await (await the('combobox', label)).read((element) => {
        element.focus()
        return true
      })
    },
    async choose(label: string, option: string) {
      await (await the('combobox', label)).choose(option)
      await this.seesChosen(label, option)
    },
    async tick() {
      await (await the('checkbox')).click()
      await sees('checkbox', undefined, async (box) =>
        assert.ok(await box.read((element) => (element as HTMLInputElement).checked)),
      )
    },
    async press(name: string) {
      await (await the('button', name)).click()
    },

    async seesHeading(name: string) {
      await the('heading', name)
    },
    seesValue: (label: string, value: string) =>
      sees('textbox', label, async (field) => assert.equal(await field.read(valueIn), value)),
    /** Expects space between a field and the heading above it. */
    seesRoomAbove: (label: string) =>
      sees('textbox', label, async (field) => {
        const room = await field.read((element) => {
          const heading = element.closest('fieldset')?.querySelector('legend > *')
          const name = (element as HTMLInputElement).labels?.[0]
          const end = heading?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY
          return String((name?.getBoundingClientRect().top ?? 0) - end)
        })
        assert.ok(Number(room) >= 12, `${room} px above ${label}`)
      }),
    /** Expects that the script restored the value: a browser restores values only in a field that was empty. */
    seesKept: (label: string, value: string) =>
      sees('textbox', label, async (field) =>
        assert.equal(
          await field.read((element) => (element as HTMLInputElement).defaultValue),
          value,
        ),
      ),
    seesChosen: (label: string, option: string) =>
      sees('combobox', label, async (field) => {
        const chosen = await field.read(
          (element) => (element as HTMLSelectElement).selectedOptions[0]?.text ?? '',
        )
        assert.equal(chosen, option)
      }),
    /** Expects that the field is marked as invalid and that its description ends with the message. */
    seesError: (label: string, message: string) =>
      sees('textbox', label, async (field) => {
        const said = await field.read((element) => {
          const ids = element.getAttribute('aria-describedby')?.split(' ') ?? []
          const isInvalid = element.getAttribute('aria-invalid') === 'true'
          return isInvalid ? (document.getElementById(ids.at(-1) ?? '')?.innerText ?? '') : ''
        })
        assert.equal(said, message)
      }),
  }
}

const valueIn = (element: HTMLElement) => (element as HTMLInputElement).value

/** Removes characters that the script inserts or removes while the visitor types. */
const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

async function one(tab: Tab, role: Role, name: string | undefined): Promise<Found> {
  const [first] = await tab.find(role, name)
  assert.ok(first, `no ${role} ${name ?? ''} is shown`)
  return first
}

import { expect } from '@playwright/test'
import {
  type Document,
  type HTMLButtonElement,
  type HTMLElement,
  type HTMLInputElement,
  type HTMLOptionElement,
  type HTMLSelectElement,
  Window,
} from 'happy-dom'
import type { StepId } from '#domain/enquiry/answers.ts'
import { type Answering, questionsOf } from './ada.ts'

const settings = {
  disableJavaScriptEvaluation: true,
  disableJavaScriptFileLoading: true,
  disableCSSFileLoading: true,
}

/**
 * A browser without JavaScript that draws nothing: it follows redirects, keeps cookies and posts forms. A page takes a
 * tenth of the time that it takes in a real browser, in which `has-no-javascript` walks the whole form.
 */
export class PlainBrowser {
  readonly #headers: Readonly<Record<string, string>>
  readonly #cookies = new Map<string, string>()
  #url: URL
  #page = new Window().document
  #earlier: { readonly url: URL; readonly page: Document }[] = []
  /** The body of the last posted form. */
  posted = new URLSearchParams()

  constructor(site: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = new URL(site)
    this.#headers = headers
  }

  get url(): URL {
    return this.#url
  }

  async goto(path: string, body?: URLSearchParams): Promise<void> {
    this.#earlier.push({ url: this.#url, page: this.#page })
    await this.#load(path, body)
  }

  goBack(): void {
    const { url, page } = this.#earlier.pop() ?? { url: this.#url, page: this.#page }
    this.#url = url
    this.#page = page
  }

  async #load(path: string, body?: URLSearchParams): Promise<void> {
    this.#url = new URL(path, this.#url)
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const reply = await fetch(this.#url, {
      redirect: 'manual',
      headers: { ...this.#headers, cookie, ...(body && { origin: this.#url.origin }) },
      ...(body && { method: 'POST', body }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    const location = reply.headers.get('location')
    if (location !== null) return this.#load(location, reply.status === 307 ? body : undefined)
    this.#page = new Window({ url: this.#url.href, settings }).document
    this.#page.write(await reply.text())
    // happy-dom ignores the attribute.
    for (const option of this.#page.querySelectorAll('option')) {
      if (option.hasAttribute('selected')) (option as HTMLOptionElement).selected = true
    }
  }

  clearCookies(): void {
    this.#cookies.clear()
  }

  /** The control with the label. */
  #field(label: string): HTMLInputElement | HTMLSelectElement {
    const found = [...this.#page.querySelectorAll('label')].find(
      ({ textContent }) => textContent === label,
    )
    const control = this.#page.getElementById(found?.htmlFor ?? '')
    if (control === null) throw new Error(`There is no ${label} on ${this.heading}.`)
    return control as HTMLInputElement | HTMLSelectElement
  }

  fill(label: string, text: string): void {
    this.#field(label).value = text
  }

  choose(label: string, text: string): void {
    const list = this.#field(label) as HTMLSelectElement
    const option = [...list.options].find(({ textContent }) => textContent === text)
    if (option === undefined) throw new Error(`${label} does not offer ${text}.`)
    option.selected = true
  }

  value(label: string): string {
    return this.#field(label).value
  }

  get isAgreed(): boolean {
    return this.#page.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked ?? false
  }

  /** Answers the questions of a step. */
  answer(id: StepId, person: Answering): void {
    for (const { control, label = '', answer } of questionsOf(id)) {
      const text = answer?.(person) ?? ''
      if (control === 'box') {
        const box = this.#page.querySelector<HTMLInputElement>('input[type=checkbox]')
        if (box) box.checked = true
      } else if (control === 'list') this.choose(label, text)
      else this.fill(label, text)
    }
  }

  /** Presses a button, or Enter in a field with a label, which presses the form's first button. */
  async press(name: string): Promise<void> {
    const button = [...this.#page.querySelectorAll('button')].find(
      ({ textContent }) => textContent === name,
    )
    await this.#submit(button ?? this.#field(name))
  }

  async #submit(by: HTMLButtonElement | HTMLInputElement | HTMLSelectElement): Promise<void> {
    const { form } = by
    if (form === null) throw new Error('It is in no form.')
    const button = (by.matches('button') ? by : form.querySelector('button')) as HTMLButtonElement
    if (button.disabled) return
    const FormDataOf = this.#page.defaultView?.FormData
    if (FormDataOf === undefined) throw new Error('It is on no page.')
    const fields = new URLSearchParams()
    for (const [name, value] of new FormDataOf(form)) {
      fields.append(name, String(value))
    }
    if (button.hasAttribute('name')) fields.append(button.name, button.value)
    const to = button.getAttribute('formaction') ?? form.getAttribute('action') ?? this.#url.href
    if (form.method === 'post') {
      this.posted = fields
      return this.goto(to, fields)
    }
    return this.goto(`${to}?${fields}`)
  }

  /** The heading of the step, or of the thanks. */
  get heading(): string {
    return this.#page.querySelector('#enquiry h2')?.textContent ?? ''
  }

  /** The text of the page, without header and footer. */
  get text(): string {
    return this.#page.querySelector('main')?.textContent ?? ''
  }

  /** Whether the page has something for browsers without JavaScript alone, which is the pixel's image. */
  get hasPixel(): boolean {
    return this.#page.querySelector('noscript') !== null
  }

  /** The heading of the group above or in the form that gets the focus. */
  get asked(): string {
    const group = this.#page.querySelector<HTMLElement>('[autofocus][role=group]')
    return group?.querySelector('h3')?.textContent ?? ''
  }

  /** Whether the link with the name leads to the field. */
  isLinkTo(name: string, label: string): boolean {
    const link = [...this.#page.querySelectorAll('a')].find(
      ({ textContent }) => textContent === name,
    )
    return link?.getAttribute('href') === `#${this.#field(label).id}`
  }

  /** What is said of a field; empty unless the field is marked as invalid. */
  error(label: string): string {
    const field = this.#field(label)
    return field.getAttribute('aria-invalid') === 'true' ? this.description(label) : ''
  }

  /** The texts that describe a field, the error last. */
  description(label: string): string {
    const ids = this.#field(label).getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map((id) => this.#page.getElementById(id)?.textContent).join(' ')
  }

  expectStep(number: number): void {
    expect(this.heading).toBe(`Step ${number} of 4`)
  }

  expectThanks(): void {
    expect(this.heading).toBe('Information Received')
  }

  /** Goes from an empty step 3 to the thanks. */
  async finishFromEducation(person: Answering): Promise<void> {
    this.expectStep(3)
    this.answer('your-education', person)
    await this.press('Next')
    this.expectStep(4)
    this.answer('program', person)
    await this.press('Agree & Continue')
    this.expectThanks()
  }

  /** Goes from step 1 to a filled step 4 that is not yet submitted. */
  async fillAll(person: Answering): Promise<void> {
    await this.fillToStep(4, person)
    this.answer('program', person)
  }

  /** Goes from step 1 to another step, of which nothing is filled. */
  async fillToStep(step: 2 | 3 | 4, person: Answering): Promise<void> {
    const ids = ['about-you', 'address', 'your-education'] as const
    for (const [index, id] of ids.slice(0, step - 1).entries()) {
      this.answer(id, person)
      await this.press('Next')
      this.expectStep(index + 2)
    }
  }
}

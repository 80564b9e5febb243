import type { Key } from './keys.ts'

/** Roles as the accessibility tree has them. */
export type Role = 'heading' | 'textbox' | 'combobox' | 'checkbox' | 'button'

/** A browser that runs. Each protocol has its own implementation; the stories know only this. */
export interface Browser {
  readonly version: string
  /** A tab with cookies and storage of its own, 1280 px wide. */
  newTab(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  /** Until the page has loaded. */
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** What is shown now in that role, and by that name exactly where one is given. */
  find(role: Role, name?: string): Promise<Found[]>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** PNG of what is in view. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** One element, as long as its document lives. */
export interface Found {
  /** The function runs in the page, so it can use nothing of its surroundings. */
  read<T extends string | boolean>(from: (element: HTMLElement) => T): Promise<T>
  click(): Promise<void>
  /** Chooses the option that reads so, in a select. */
  choose(option: string): Promise<void>
}

export interface StartOptions {
  /** Whether pages may run scripts. */
  readonly javaScript: boolean
}

/** One browser of the table. */
export interface Candidate {
  readonly name: string
  /** How it is spoken to. */
  readonly protocol: string
  start(options: StartOptions): Promise<Browser>
}

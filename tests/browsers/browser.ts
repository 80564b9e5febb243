import type { Key } from './keys.ts'

/** Roles of the accessibility tree. */
export type Role = 'heading' | 'textbox' | 'combobox' | 'checkbox' | 'button'

/** A running browser. Each protocol has its own implementation; the stories use only this interface. */
export interface Browser {
  readonly version: string
  /** Opens a tab with its own cookies and storage, 1280 px wide. */
  newTab(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  /** Opens an address, and resolves when the page has loaded. */
  open(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** Finds the visible elements with a role, and with exactly this name if one is given. */
  find(role: Role, name?: string): Promise<Found[]>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** A PNG of the visible part of the page. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** An element, which is valid as long as its document exists. */
export interface Found {
  /** Runs a function in the page, so the function can use nothing from its module. */
  read<T extends string | boolean>(from: (element: HTMLElement) => T): Promise<T>
  click(): Promise<void>
  /** Chooses the option with this text in a select. */
  choose(option: string): Promise<void>
}

export interface StartOptions {
  /** Whether pages may run scripts. */
  readonly javaScript: boolean
}

/** A browser in the table of results. */
export interface Candidate {
  readonly name: string
  /** The protocol that controls the browser. */
  readonly protocol: string
  start(options: StartOptions): Promise<Browser>
}

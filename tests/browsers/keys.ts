/** Codes of keys that are not characters, equal in both WebDriver protocols (W3C WebDriver, "Keyboard actions"). */
export const keyCodes = {
  Tab: '\uE004',
  Enter: '\uE007',
  Home: '\uE011',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Control: '\uE009',
} as const

/** Playwright's names of the keys. */
export type Key = Exclude<keyof typeof keyCodes, 'Control'> | 'Control+a'

/** Keys that are no characters, as both WebDriver protocols number them (W3C WebDriver, "Keyboard actions"). */
export const keyCodes = {
  Tab: '\uE004',
  Enter: '\uE007',
  Home: '\uE011',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Control: '\uE009',
} as const

/** By the names that Playwright has for them. */
export type Key = Exclude<keyof typeof keyCodes, 'Control'> | 'Control+a'

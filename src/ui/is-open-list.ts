/** Whether a select shows its list in the page. Browsers too old to know `:open` show the system's, which has the keys to itself. */
export const isOpenList = (select: HTMLSelectElement): boolean =>
  CSS.supports('selector(:open)') && select.matches(':open')

/** Keeps the preferences of this page if the browser's storage is full, or forbidden as in some private windows. */
const pagePreferences = new Map<string, string>()

/** Reads a preference that this browser keeps for all pages of the console. */
export function recall(name: string): string | undefined {
  try {
    return pagePreferences.get(name) ?? localStorage.getItem(name) ?? undefined
  } catch {
    return pagePreferences.get(name)
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
    pagePreferences.delete(name)
  } catch {
    pagePreferences.set(name, value)
  }
}

const pauseSwitch = 'console-live'

/**
 * Whether live updates are off in this browser, on every page. People must be able to stop content that moves by itself
 * (WCAG 2.2.2).
 */
export const isPaused = (): boolean => recall(pauseSwitch) === 'off'

export const togglePaused = (): void => remember(pauseSwitch, isPaused() ? 'on' : 'off')

import { commandTimeoutMs } from '../eventually.ts'

/**
 * Sends a command of W3C WebDriver: JSON over HTTP (https://www.w3.org/TR/webdriver2/). Rejects if the driver refuses
 * it.
 */
export type WebDriver = <Value>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  parameters?: object,
) => Promise<Value>

interface WebDriverError {
  readonly error: string
  readonly message: string
}

export const webDriver =
  (origin: string): WebDriver =>
  async (method, path, parameters = {}) => {
    const body = method === 'POST' ? JSON.stringify(parameters) : null
    const signal = AbortSignal.timeout(commandTimeoutMs)
    const response = await fetch(`${origin}${path}`, { method, body, signal })
    const { value } = await response.json()
    if (response.ok) return value
    const { error, message }: WebDriverError = value
    throw new Error(`${error}: ${message}`)
  }

import { serverSettings } from '../server-settings.ts'

/** An address of the console as the configuration has it; where its port is any free one, only the server knows it. */
export function consoleLink(path: string): string {
  const { origin, port } = serverSettings().console
  return `${origin ?? `http://127.0.0.1:${port}`}${path}`
}

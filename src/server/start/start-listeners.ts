import type { Settings } from '#server/config/settings.ts'
import { type CloseTimeouts, listen } from '#server/platform/http/listen.ts'
import type { PortName } from './describe-start-fault.ts'
import type { Product } from './wiring/product.ts'

type ListenerOptions = Awaited<ReturnType<typeof listen>>

/**
 * Listens for visitors, operators or both, depending on the role.
 * @param onFault called if the process cannot listen on a port; the process then listens on none
 */
export async function startListeners(
  settings: Settings,
  product: Product,
  onFault: (error: unknown, portName: PortName) => Promise<never>,
) {
  const site =
    settings.role === 'console'
      ? undefined
      : await listen({ ...settings, ...product }).catch((error) => onFault(error, 'PORT'))
  const { console } = product
  const consoleListener =
    console &&
    (await listen({ ...settings.console, ...console }).catch(async (error) => {
      await site?.close({ requests: 0 })
      return onFault(error, 'CONSOLE_PORT')
    }))
  const listeners = [site, consoleListener].filter(
    (listener): listener is ListenerOptions => listener !== undefined,
  )
  return {
    port: site?.port ?? consoleListener?.port ?? 0,
    consolePort: consoleListener?.port,
    consoleUrl: consoleListener && (await console?.listening(consoleListener.port)),
    drain: () => {
      for (const listener of listeners) listener.drain()
    },
    close: async (grace: CloseTimeouts) => {
      await Promise.all(listeners.map((listener) => listener.close(grace)))
    },
  }
}

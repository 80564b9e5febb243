import { freePort } from '../../../tests/product/free-port.ts'

export interface EventLoopProbe {
  /** Variables for the environment of the product to measure. */
  readonly env: Readonly<Record<string, string>>
  /**
   * The 99th percentile of the event loop's delay since the last call, in milliseconds; the probe's own timer adds 1
   * ms.
   */
  p99(): Promise<number>
}

export async function eventLoopProbe(): Promise<EventLoopProbe> {
  const port = await freePort()
  return {
    env: {
      NODE_OPTIONS: `--import=${new URL('./event-loop-probe-preload.ts', import.meta.url)}`,
      EVENT_LOOP_PROBE_PORT: String(port),
    },
    p99: async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text()),
  }
}

/** A server that has a store open. */
export interface RunningServer {
  /** As `serverName` has it; undefined where it does not say, as versions before this one. */
  readonly name: string | undefined
  /** Epoch milliseconds; undefined where only the server itself knows. */
  readonly since: number | undefined
}

/** How a server is named to whoever asks who uses a store: `worker, process 812 on alpha`. */
export const serverName = (role: string, pid: number, host: string): string =>
  `${role}, process ${pid} on ${host}`

/** For a sentence: `worker, process 812 on alpha, since 2026-11-22T12:00:00.000Z`. */
export function serverInWords({ name = 'a server', since }: RunningServer): string {
  return since === undefined ? name : `${name}, since ${new Date(since).toISOString()}`
}

import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { endProcess, remember } from '../end-process.ts'
import { lineOf } from '../line-of.ts'

/** Starts a virtual screen that is large enough for a window of 1280 px. */
export async function virtualScreen(xvfb: string) {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const server = remember(spawn(xvfb, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }))
  // The server picks a free display number and prints it once it is ready.
  const [, number] = await lineOf(server, server.stdio[3] as Readable, /(\d+)\n/)
  return { display: `:${number}`, close: () => endProcess(server) }
}

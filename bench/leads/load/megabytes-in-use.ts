import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { RunningProduct } from '../../../tests/product/start-process.ts'
import { sized } from '../../sized.ts'
import { postLeads } from './post-leads.ts'

const useMs = sized(3000, 50)
const restMs = sized(2000, 50)

/** The memory in use after enquiries have arrived, monitors have called, and the process has rested for a moment. */
export async function megabytesInUse({ url, process }: RunningProduct): Promise<number> {
  await postLeads(url, useMs)
  for (const path of ['/', '/readyz', '/metrics']) {
    const reply = await fetch(url + path)
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
    await reply.text()
  }
  await setTimeout(restMs)
  return residentBytes(process.pid) / 1e6
}

/** The memory that a process with all its threads really uses (RSS), in bytes. */
const residentBytes = (pid: number | undefined): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024

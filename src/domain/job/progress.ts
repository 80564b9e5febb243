import type { Job } from './job.ts'

export interface Progress {
  /** From 0 to 1. */
  readonly share: number
  /** Leads a second, as it went of late; undefined while that is not known. */
  readonly speed: number | undefined
  readonly msLeft: number | undefined
}

/** Sooner it would be a guess, in milliseconds. */
const tellsAfter = 2000

/** @param now epoch milliseconds */
export function progressOf(job: Job, now: number): Progress {
  const share = job.members === 0 ? 0 : job.done / job.members
  const ms = job.runningSince === null ? 0 : now - job.runningSince
  const done = job.done - job.runningFrom
  if (job.phase !== 'running' || job.pausedAt !== null || ms < tellsAfter || done <= 0) {
    return { share, speed: undefined, msLeft: undefined }
  }
  const speed = (done * 1000) / ms
  return { share, speed, msLeft: ((job.members - job.done) * 1000) / speed }
}

import type { ChangeOutcome, StartOutcome } from '#server/jobs/run-jobs.ts'
import type { SessionNotice } from '../session-notice.ts'

export const saidOfStart: Readonly<Record<Exclude<StartOutcome, 'unknown'>, SessionNotice>> = {
  started: { kind: 'well', heading: 'Started' },
  empty: problem('No lead matched when it was planned: plan it anew'),
  'not planned': problem('Its plan is not complete yet: wait for it'),
  'begun already': problem('It has begun already, or has ended'),
}

export type JobChange = 'pause' | 'resume' | 'cancel'

export const saidOfChange: Readonly<
  Record<JobChange, Readonly<Record<Exclude<ChangeOutcome, 'unknown'>, SessionNotice>>>
> = {
  pause: {
    changed: { kind: 'well', heading: 'Paused: nothing more is done until it is resumed' },
    'as it was': problem('It does not run'),
  },
  resume: {
    changed: { kind: 'well', heading: 'It goes on' },
    'as it was': problem('It is not paused'),
  },
  cancel: {
    changed: { kind: 'well', heading: 'Cancelled: nothing more is done' },
    'as it was': problem('It has ended already'),
  },
}

function problem(heading: string): SessionNotice {
  return { kind: 'problem', heading, text: 'Nothing was changed.' }
}

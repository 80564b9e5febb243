import type { Visit } from '#domain/measuring/visit.ts'

type VisitChanges = Partial<Omit<Visit, 'progress'>> & {
  readonly progress?: Partial<Visit['progress']>
}

/** Makes a visit that ended on the second step after a minute. */
export const exampleVisit = (id: string, changes: VisitChanges = {}): Visit => ({
  id,
  area: 'business',
  source: 'news',
  campaign: null,
  affiliate: 'a7',
  device: 'phone',
  program: null,
  ...changes,
  progress: {
    openMs: 60_000,
    isStarted: true,
    step: 1,
    shown: [1, 1],
    visibleMs: [5000, 5000],
    refused: [],
    vitals: {},
    ...changes.progress,
  },
})

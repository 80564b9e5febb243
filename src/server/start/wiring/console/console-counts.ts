import type { CountedFigures } from '#server/console-pages/read-overview.ts'
import { type ComparedDay, comparedDays, type LeadFigures } from '#server/leads/lead-figures.ts'
import { timedCache } from '#server/platform/timed-cache.ts'

/** The operators of one console work in fewer time zones than this. Each zone's counts are kept. */
const maxZones = 20

/** Counts leads by the days of a time zone, and keeps the counts for a while. */
export function makeDayFigures(
  readFigures: (days: readonly ComparedDay[]) => Promise<LeadFigures>,
  {
    clock,
    lifetimeFactor: heldTimes,
  }: { readonly clock: () => number; readonly lifetimeFactor: number },
): (zone: string) => Promise<CountedFigures> {
  const zones = new Map<string, () => Promise<CountedFigures>>()
  const count = async (zone: string): Promise<CountedFigures> => {
    const countedAt = clock()
    const asked = comparedDays(countedAt, zone)
    const { days, ...figures } = await readFigures(asked)
    const counted = asked.map((day, index) => ({
      ...day,
      ...(days[index] ?? { soFar: 0, whole: 0 }),
    }))
    return { ...figures, days: counted, countedAt }
  }
  return (zone) => {
    const known = zones.get(zone)
    if (known !== undefined) return known()
    if (zones.size >= maxZones) zones.clear()
    const kept = timedCache(() => count(zone), { times: heldTimes })
    zones.set(zone, kept)
    return kept()
  }
}

import type { CountedFigures } from '#server/console-pages/overview/read-overview.ts'
import { comparedDays, type ReadFigures } from '#server/leads/lead-figures.ts'
import { timedCache } from '#server/platform/timed-cache.ts'

/** More zones than the operators of one console are in; a counting for each is kept. */
const mostZones = 20

/** Counts a zone's days, and keeps what it counted for a while. */
export function makeDayFigures(
  readFigures: ReadFigures,
  { clock, heldTimes }: { readonly clock: () => number; readonly heldTimes: number },
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
    if (zones.size >= mostZones) zones.clear()
    const kept = timedCache(() => count(zone), { times: heldTimes })
    zones.set(zone, kept)
    return kept()
  }
}

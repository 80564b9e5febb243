import { type Kysely, sql } from 'kysely'
import { isErrorGroupId } from '#domain/delivery/error-group.ts'
import { countedRejectionCauses, describeAttemptError } from '#domain/delivery/outcome.ts'
import { overflowValue } from '#domain/measuring/funnel.ts'
import type { StoreTables } from '#server/platform/database/tables/store-tables.ts'

/** The funnel names at most this many reasons; leads with other reasons count together. */
const maxReasons = 50

/** The store counts a reason's leads up to this number, to find the most frequent reasons. */
const countedTo = 1000

/** A viewer sees only reasons that this many leads share, because a rare one may name a person despite masking. */
const minSharedLeads = 3

/** A text stands for at most this many error groups, because a filter of leads can't have more values. */
export const maxGroups = 20

/** Stands for rejections without a reason in words, for example of leads that an operator settled. */
export const noReason = 'no reason given'

export type RejectionReasons = Awaited<ReturnType<typeof readRejectionReasons>>

/**
 * Reads the distributor's reasons: the words of the error groups of rejections, which contain no personal data that we
 * sent (`extractCommonReason`). Reasons that differ only in case are one.
 */
export async function readRejectionReasons(db: Kysely<StoreTables>) {
  const { rows } = await sql<{ id: string; words: string; leads: number }>`
    select id, words, (select count(*) from (
      select 1 as one from lead_index where error_group = error_groups.id limit ${sql.lit(countedTo)}
    ) as counted) as leads
    from error_groups where error in (${sql.join(countedRejectionCauses)})`.execute(db)
  const codes = (await db.selectFrom('error_groups').select('error').distinct().execute()).map(
    ({ error }) => error,
  )
  const worded = rows.filter(({ words }) => /\p{L}/u.test(words) || words === '…')
  const all = [...Map.groupBy(worded, ({ words }) => words.toLowerCase()).values()]
    .map((groups) => ({
      name: groups[0]?.words ?? '',
      ids: groups.map(({ id }) => id),
      leads: groups.reduce((sum, { leads }) => sum + Number(leads), 0),
    }))
    .toSorted((one, other) => other.leads - one.leads)
  const isOverflow = ({ name }: (typeof all)[number]) => name === '…'
  const named = all.filter((reason) => !isOverflow(reason)).slice(0, maxReasons)
  const shared = named.filter(({ leads }) => leads >= minSharedLeads)
  const idsOf = (reasons: typeof all) => reasons.flatMap(({ ids }) => ids)
  /** @param hidesRare whether the reasons are for a viewer */
  return (hidesRare: boolean) => {
    const shown = hidesRare ? shared : named
    const others = new Set(idsOf(all).filter((id) => !idsOf(shown).includes(id)))
    const nameOf = new Map(shown.flatMap(({ name, ids }) => ids.map((id) => [id, name])))
    const findGroups = (reason: string): readonly string[] | undefined => {
      const wanted = reason.toLowerCase()
      if (wanted === noReason) return undefined
      if (wanted === overflowValue) return [...others]
      return shown.find(({ name }) => name.toLowerCase() === wanted)?.ids ?? []
    }
    return {
      names: shown.map(({ name }) => name),
      /** Names the reason of a rejected lead by its error group. */
      nameOf: (group: string | null): string =>
        nameOf.get(group ?? '') ?? (others.has(group ?? '') ? overflowValue : noReason),
      /** Finds the error groups with a reason, in any case; undefined for {@link noReason}, which many groups have. */
      findGroups,
      /** Errors and reasons in words, as suggestions for the filter *Last error*. */
      errorWords: [...codes.map(describeAttemptError), ...shown.map(({ name }) => name)],
      /** Describes an error, or an error group by its reason; undefined for a group without a reason that is shown. */
      describeError: (error: string): string | undefined =>
        isErrorGroupId(error) ? nameOf.get(error) : describeAttemptError(error),
      /** Finds the errors and error groups that an operator means by words in any case; the text itself if there are none. */
      findErrors: (text: string): readonly string[] => {
        const wanted = text.trim().toLowerCase()
        const code = codes.find((one) =>
          [one, describeAttemptError(one)].some((words) => words.toLowerCase() === wanted),
        )
        const found = code === undefined ? (findGroups(wanted) ?? []) : [code]
        return found.length === 0 || found.length > maxGroups ? [text] : found
      },
      /** All groups with a reason. */
      groups: idsOf(all),
    }
  }
}

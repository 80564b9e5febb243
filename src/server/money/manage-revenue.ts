import { toDay } from '#domain/calendar.ts'
import {
  type DatedValueErrors,
  type DatedValueTexts,
  parseDatedValue,
} from '#domain/money/dated-value.ts'
import { runAuditedTransaction } from '#server/operators/audit.ts'
import { authorize, type OperatorContext } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { addDatedValue, auditDatedValue, listDatedValues } from './dated-values.ts'

/** Reads and sets what the company gets for an accepted lead, for the console and the command line. */
export const makeRevenueActions = (
  { db, clock }: OperatorContext,
  { zone }: { readonly zone: string },
) => ({
  /** Lists the revenues, the latest day first. */
  list: async (actor: Actor) => {
    authorize(actor, 'see statements', clock())
    return listDatedValues(db, 'revenue')
  },
  /** Sets the revenue of leads that are accepted from a day on. @returns an error message for each wrong field */
  set: async (actor: Actor, texts: DatedValueTexts): Promise<DatedValueErrors> => {
    authorize(actor, 'change the revenue', clock())
    const { value, errors } = parseDatedValue(texts, toDay(clock(), zone))
    if (Object.keys(errors).length > 0) return errors
    return runAuditedTransaction<DatedValueErrors>(
      { db, clock },
      { actor, action: 'set the revenue' },
      async (tx, now, keep) => {
        const fault = await addDatedValue(tx, { of: 'revenue', ...value }, { actor, now, zone })
        if (fault !== undefined) return { startsOn: fault }
        await keep({ after: auditDatedValue('revenue', value) })
        return {}
      },
      ({ startsOn }) => (startsOn === undefined ? 'set' : undefined),
    )
  },
})

import { Hono } from 'hono'
import { AgeChart } from '#console/charts/age-chart.tsx'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { findFilterProblem, parsePageFilter } from '#console/leads/read-filter.ts'
import { RangePicker } from '#console/ranges/range-picker.tsx'
import { describeFaults, rangeParsers, readRange } from '#console/ranges/read-range.ts'
import { ImportForm, importPosted, type RefusedImport } from '#console/requests/csv-form.tsx'
import { ConsolePage } from '#console/shell/console-page.tsx'
import type { FormField } from '#console/shell/edit-form.tsx'
import { type Message, makeSuccessMessage } from '#domain/operator/messages.ts'
import { formatNumber } from '#domain/text/formats.ts'
import { returnFields } from '#server/delivery/parse-returns.ts'
import { authorize } from '#server/operators/authorize.ts'
import { maxCsvLines } from '#server/platform/mapped-csv.ts'

export const returnsPath = '/returns'

/** Lets the operator import the distributor's list of returned leads. */
export function returnsRoutes({ returns, store, flash, clock }: ConsoleServices) {
  const show = async (c: ConsoleContext, message?: Message, refused?: RefusedImport) => {
    authorize(c.get('actor'), 'see returns', clock())
    const url = parsePageFilter(rangeParsers, c.req.query())
    const periods = readRange(url, clock(), store.zone)
    const ages = await store.forConsole.funnel.returnsByAge(periods.range)
    const problem = findFilterProblem({}, url.unknownName) ?? describeFaults(url.faults)
    const page = (
      <ConsolePage name="Returns">
        <ImportForm
          permission="import returns"
          action={returnsPath}
          name="Import returns"
          file={file}
          headings={headings}
          columns={await returns.columns()}
          refused={refused}
        />
        <section aria-labelledby="ages">
          <h2 id="ages">How late leads are returned</h2>
          <RangePicker
            {...{ ...periods, path: returnsPath, given: url.given, faults: url.faults }}
            comparison="never"
          />
          <AgeChart ages={ages} />
        </section>
        <p>
          <a href="/leads?returned=yes">View the returned leads</a>
        </p>
      </ConsolePage>
    )
    return c.render(page, message ?? problem, message ? undefined : problem && 400)
  }

  return new Hono<ConsoleEnv>()
    .get(returnsPath, (c) => show(c))
    .post(returnsPath, async (c) => {
      const actor = c.get('actor')
      const result = await importPosted(c, returnFields, (...given) =>
        returns.import(actor, ...given),
      )
      if ('refused' in result) return show(c, result.message, result.refused)
      const message = makeSuccessMessage(`Returns imported: ${result.done}`)
      return flash.redirect(c, returnsPath, message)
    })
}

const file = {
  label: 'The distributor’s file',
  hint: `Choose a CSV file with a line of headings and at most ${formatNumber(maxCsvLines)} leads. Write dates like 2026-11-30 or 11/30/2026, with or without a time like 14:05 or 2:05 PM in the time zone of the school. If any line is wrong, the server imports nothing.`,
}

const headings: readonly FormField[] = [
  { name: 'lead', label: 'Id of the lead', isRequired: true },
  { name: 'date', label: 'Date', isRequired: true },
  {
    name: 'reason',
    label: 'Reason',
    hint: 'Leave this field empty if the file has no column with reasons.',
  },
]

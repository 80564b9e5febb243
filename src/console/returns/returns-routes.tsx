import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm, readRawFields } from '#console/requests/read-form.ts'
import {
  type Message,
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { describeReturnsImport } from '#server/delivery/import-returns.ts'
import { maxReturnLines } from '#server/delivery/parse-returns.ts'
import { decodeCsv } from '#server/platform/csv-lines.ts'
import { ReturnsPage, type ReturnsPageProps } from './returns-page.tsx'

export const returnsPath = '/returns'

const maxShownFaults = 100

export function returnsRoutes({ returns, flash }: ConsoleServices) {
  const show = async (
    c: ConsoleContext,
    shown: Partial<ReturnsPageProps> = {},
    message?: Message,
  ) => {
    const page = (
      <ReturnsPage
        imports={await returns.imports(c.get('actor'))}
        typed={{ ...(await returns.columns()), pasted: '' }}
        faults={[]}
        maxLines={maxReturnLines}
        {...shown}
      />
    )
    return c.render(page, message)
  }

  return new Hono<ConsoleEnv>()
    .get(returnsPath, (c) => show(c))
    .post(returnsPath, async (c) => {
      const { lacks: _, ...typed } = await readForm(c, 'lead', 'date', 'reason', 'pasted')
      const { file } = await readRawFields(c)
      const text =
        file instanceof File && file.size > 0 ? decodeCsv(await file.bytes()) : typed.pasted
      const result = await returns.import(c.get('actor'), text, typed)
      if (result.kind === 'imported') {
        const message = makeSuccessMessage(`Returns imported: ${describeReturnsImport(result)}`)
        return flash.redirect(c, returnsPath, message)
      }
      const { faults, columns } = result
      const fields = text === '' ? { file: 'Choose the file, or paste the file’s lines.' } : columns
      if (Object.keys(fields).length > 0) {
        return show(c, { typed }, makeFieldMessage(fields))
      }
      const heading = `Nothing was imported: ${pluralize(faults.length, 'line is', 'lines are')} wrong`
      const hidden = pluralize(faults.length - maxShownFaults, 'more line')
      const note = `The page lists the first ${maxShownFaults}, and leaves out ${hidden}.`
      const message = makeProblemMessage(heading, faults.length > maxShownFaults ? note : undefined)
      return show(c, { typed, faults: faults.slice(0, maxShownFaults) }, message)
    })
}

import { Hono } from 'hono'
import { CapsPage, toCapTexts } from '#console/caps/caps-page.tsx'
import { renderHtml } from '#console/render.ts'
import type { Message } from '#console/shell/message.tsx'
import { type CapTexts, capFields, emptyCap, parseCap } from '#domain/delivery/cap.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from './console-env.ts'
import { makeFieldErrors, readForm } from './read-form.ts'

const path = '/caps'

interface Shown {
  readonly message?: Message | undefined
  readonly edited?: string | undefined
  readonly texts?: CapTexts
}

/** The page Caps: a list, and a form that adds or changes a cap. */
export function capRoutes({ shellOf, notice, caps, programs, clock }: ConsoleServices) {
  const show = async (c: ConsoleContext, shown: Shown = {}) => {
    const list = await caps.list(c.get('actor'))
    const edited = list.find(({ id }) => id === (shown.edited ?? c.req.query('edit')))
    const fresh = { ...emptyCap, affiliateId: c.req.query('affiliate') ?? null }
    const page = (
      <CapsPage
        shell={shellOf(c)}
        caps={list}
        programs={programs()}
        affiliates={await caps.affiliates()}
        zone={caps.zone}
        message={shown.message}
        edited={edited?.id}
        texts={shown.texts ?? toCapTexts(edited ?? fresh)}
      />
    )
    return c.html(renderHtml(page), shown.message?.kind === 'problem' ? 422 : 200)
  }
  const problem = (heading: string): Message => ({ kind: 'problem', heading })

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c, { message: notice.take(c) }))
    .post(path, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'change caps', clock())
      const { id, ...texts } = await readForm(c, 'id', ...capFields)
      const before = (await caps.list(actor)).find((cap) => cap.id === id)
      const { cap, faults } = parseCap(texts)
      const isOffered = programs().some((program) => program.id === cap.program)
      if (cap.program !== null && cap.program !== before?.program && !isOffered) {
        faults.program ??= 'Choose a program from the list.'
      }
      const refuse = (message: Message) => show(c, { message, edited: id, texts })
      if (Object.keys(faults).length > 0) return refuse(makeFieldErrors(faults))
      const outcome = await caps.save(actor, cap, id === '' ? undefined : id)
      if (outcome === 'no affiliate') {
        return refuse(makeFieldErrors({ affiliate: 'Choose an affiliate from the list.' }))
      }
      if (outcome !== 'saved') return refuse(problem(problems[outcome]))
      return notice.redirect(c, path, {
        kind: 'well',
        heading: 'The cap is saved',
        text: 'Leads that it held and now allows are sent within a second.',
      })
    })
    .post(`${path}/:id/remove`, async (c) => {
      const isRemoved = await caps.remove(c.get('actor'), c.req.param('id'))
      if (!isRemoved) return show(c, { message: problem(problems.unknown) })
      const text = 'Leads that it held are sent within a second, unless another cap holds them.'
      return notice.redirect(c, path, { kind: 'well', heading: 'The cap is deleted', text })
    })
}

const problems = {
  unknown: 'This cap doesn’t exist any more. Nothing was changed.',
  'too many': 'There are 500 caps, which is the most. Delete one first. Nothing was changed.',
}

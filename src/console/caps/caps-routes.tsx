import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { type CapFormValues, capFields, emptyCap, parseCapForm } from '#domain/delivery/cap.ts'
import type { Message } from '#domain/operator/messages.ts'
import {
  makeFieldMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { authorize } from '#server/operators/authorize.ts'
import { CapsPage, DeleteCapPage, toCapFormValues } from './caps-page.tsx'

const path = '/caps'

export function capRoutes({ flash, caps, programs, clock }: ConsoleServices) {
  const show = async (
    c: ConsoleContext,
    message: Message | undefined,
    posted: { readonly id?: string; readonly texts?: CapFormValues } = {},
  ) => {
    const list = await caps.list(c.get('actor'))
    const edited = list.find(({ id }) => id === (posted.id ?? c.req.query('edit')))
    const fresh = { ...emptyCap, affiliateId: c.req.query('affiliate') ?? null }
    const page = (
      <CapsPage
        caps={list}
        programs={programs()}
        affiliates={await caps.affiliates()}
        zone={caps.zone}
        message={message}
        edited={edited?.id}
        texts={posted.texts ?? toCapFormValues(edited ?? fresh)}
      />
    )
    return c.render(page, message)
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => show(c, flash.take(c)))
    .post(path, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'change caps', clock())
      const { id, ...texts } = await readForm(c, 'id', ...capFields)
      const before = (await caps.list(actor)).find((cap) => cap.id === id)
      const offered = programs().map((program) => program.id)
      const { cap, faults } = parseCapForm(texts, [...offered, before?.program])
      const refuse = (message: Message) => show(c, message, { id, texts })
      if (Object.keys(faults).length > 0) return refuse(makeFieldMessage(faults))
      const outcome = await caps.save(actor, cap, id || undefined)
      if (outcome === 'no affiliate') {
        return refuse(makeFieldMessage({ affiliate: 'Choose an affiliate from the list.' }))
      }
      if (outcome !== 'saved') return refuse(makeProblemMessage(problems[outcome]))
      const text = 'Within a second, the workers send held leads that the cap now allows.'
      return flash.redirect(c, path, makeSuccessMessage('The cap is saved', text))
    })
    .get(`${path}/:id/remove`, async (c) => {
      const actor = c.get('actor')
      authorize(actor, 'change caps', clock())
      const cap = (await caps.list(actor)).find(({ id }) => id === c.req.param('id'))
      if (cap === undefined) return show(c, makeProblemMessage(problems.unknown))
      const release = await caps.previewRemoval(actor, [cap.id])
      const page = { programs: programs(), cap, release }
      return c.render(<DeleteCapPage {...page} />)
    })
    .post(`${path}/:id/remove`, async (c) => {
      const due = await caps.remove(c.get('actor'), c.req.param('id'))
      if (due === undefined) return show(c, makeProblemMessage(problems.unknown))
      const held = `The cap held ${pluralize(due, 'lead')}.`
      const text =
        due === 0
          ? held
          : `${held} Within a second, the workers send those that no other cap holds.`
      return flash.redirect(c, path, makeSuccessMessage('The cap is deleted', text))
    })
}

const problems = {
  unknown: 'This cap doesn’t exist any more. Nothing was changed.',
  'too many':
    'There are 500 caps, and no more are possible. Delete one first. Nothing was changed.',
}

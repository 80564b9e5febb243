import { Hono } from 'hono'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { readForm } from '#console/requests/read-form.ts'
import { showError } from '#console/requests/render-pages.tsx'
import { type Destination, listEventsFor } from '#domain/notifications/notification.ts'
import {
  type FlashMessage,
  type Message,
  makeFieldMessage,
  makeNoteMessage,
  makeProblemMessage,
  makeSuccessMessage,
} from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/formats.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import { DeleteWebhookPage, type FormResult, WebhookPage, WebhooksPage } from './webhooks-page.tsx'

const path = '/webhooks'

export function webhookRoutes({ flash, webhooks, clock }: ConsoleServices) {
  const showAll = async (c: ConsoleContext, result: FormResult = {}, message?: Message) => {
    const destinations = await webhooks.list(c.get('actor'))
    return c.render(<WebhooksPage destinations={destinations} {...result} />, message)
  }
  const showOne = async (c: ConsoleContext, { texts }: FormResult = {}, message?: Message) => {
    const found = await webhooks.find(c.get('actor'), c.req.param('id') ?? '')
    if (found === undefined) return showUnknown(c)
    return c.render(<WebhookPage {...found} texts={texts} />, message)
  }
  const showUnknown = (c: ConsoleContext) =>
    showError(
      c,
      'Webhook not found',
      'The webhook was deleted, or the affiliate has no postback.',
      404,
    )
  /** Saves the posted webhook, or shows the form with errors. */
  const save = async (
    c: ConsoleContext,
    show: typeof showAll,
    store: (actor: Actor, fields: Parameters<typeof webhooks.add>[1]) => Promise<Response>,
  ) => {
    authorize(c.get('actor'), 'change webhooks', clock())
    const texts = await readForm(c, 'url', ...listEventsFor('webhook'), 'sendsPersonalData')
    const fields = {
      url: texts.url.trim(),
      events: listEventsFor('webhook').filter((event) => texts[event] !== ''),
      sendsPersonalData: texts.sendsPersonalData !== '',
    }
    const errors = webhooks.findFaults(fields)
    return Object.keys(errors).length > 0
      ? show(c, { texts }, makeFieldMessage(errors))
      : store(c.get('actor'), fields)
  }
  /** Makes the handler of a button that acts on one webhook or postback and leads back to its page. */
  const changeOne =
    (change: (actor: Actor, destination: Destination) => Promise<FlashMessage>) =>
    async (c: ConsoleContext) => {
      const actor = c.get('actor')
      authorize(actor, 'change webhooks', clock())
      const found = await webhooks.find(actor, c.req.param('id') ?? '')
      if (found === undefined) return showUnknown(c)
      const { destination } = found
      return flash.redirect(c, `${path}/${destination.id}`, await change(actor, destination))
    }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showAll(c))
    .post(path, (c) =>
      save(c, showAll, async (actor, fields) => {
        const { secret } = await webhooks.add(actor, fields)
        return showAll(c, { secret })
      }),
    )
    .get(`${path}/:id`, (c) => showOne(c))
    .post(`${path}/:id`, (c) =>
      save(c, showOne, async (actor, fields) =>
        (await webhooks.edit(actor, c.req.param('id'), fields))
          ? flash.redirect(c, c.req.path, makeSuccessMessage('The webhook is saved'))
          : showUnknown(c),
      ),
    )
    .post(
      `${path}/:id/test`,
      changeOne(async (actor, destination) => {
        const { isAccepted, answer } = await webhooks.test(actor, destination)
        const text = `Answer: ${answer}.`
        return isAccepted
          ? makeSuccessMessage('The test was accepted', text)
          : makeProblemMessage('The test was not accepted', text)
      }),
    )
    .post(
      `${path}/:id/again`,
      changeOne(async (actor, destination) => {
        const count = await webhooks.sendAgain(actor, destination)
        return count === 0
          ? makeNoteMessage('No notification has failed')
          : makeSuccessMessage(`Sending ${pluralize(count, 'failed notification')} again`)
      }),
    )
    .post(
      `${path}/:id/pause`,
      changeOne(async (actor, destination) => {
        await webhooks.pause(actor, destination)
        const text = 'New notifications wait for up to 7 days. Calls in progress finish.'
        return makeSuccessMessage('Notifications are paused', text)
      }),
    )
    .post(
      `${path}/:id/resume`,
      changeOne(async (actor, destination) => {
        await webhooks.resume(actor, destination)
        return makeSuccessMessage('Notifications are running')
      }),
    )
    .get(`${path}/:id/remove`, async (c) => {
      authorize(c.get('actor'), 'change webhooks', clock())
      const found = await webhooks.find(c.get('actor'), c.req.param('id'))
      if (found?.destination.kind !== 'webhook') return showUnknown(c)
      const page = { destination: found.destination }
      return c.render(<DeleteWebhookPage {...page} />)
    })
    .post(`${path}/:id/remove`, async (c) => {
      const isRemoved = await webhooks.remove(c.get('actor'), c.req.param('id'))
      const removed = makeSuccessMessage(
        'The webhook is deleted',
        'The server doesn’t send the webhook’s waiting notifications.',
      )
      return isRemoved ? flash.redirect(c, path, removed) : showUnknown(c)
    })
}

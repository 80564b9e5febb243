import { Hono } from 'hono'
import { WebhookPage, WebhooksPage, type WebhookTexts } from '#console/webhooks/webhooks-page.tsx'
import { type Destination, leadEvents } from '#domain/notifications/notification.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { Actor } from '#server/operators/operator.ts'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleServices,
  type FlashMessage,
  showPage,
} from './console-env.ts'
import { makeFieldErrors, readForm } from './read-form.ts'

const path = '/webhooks'

/** A page after a posted form. */
interface Shown {
  readonly message?: FlashMessage | undefined
  readonly secret?: string
  readonly texts?: WebhookTexts
}

/** The page Webhooks, and a page for each webhook and postback. */
export function webhookRoutes({ shellOf, showMessage, notice, webhooks, clock }: ConsoleServices) {
  const showAll = async (c: ConsoleContext, shown: Shown) => {
    const destinations = await webhooks.list(c.get('actor'))
    const page = <WebhooksPage shell={shellOf(c)} destinations={destinations} {...shown} />
    return showPage(c, page, shown.message)
  }
  const showOne = async (c: ConsoleContext, shown: Shown) => {
    const found = await webhooks.find(c.get('actor'), c.req.param('id') ?? '')
    if (found === undefined) return showUnknown(c)
    return showPage(c, <WebhookPage shell={shellOf(c)} {...found} {...shown} />, shown.message)
  }
  const showUnknown = (c: ConsoleContext) =>
    showMessage(c, 'Webhook not found', 'It was deleted, or the affiliate has no postback.', 404)
  /** Saves the posted webhook, or shows the form again. */
  const save = async (
    c: ConsoleContext,
    show: typeof showAll,
    write: (actor: Actor, fields: Parameters<typeof webhooks.add>[1]) => Promise<Response>,
  ) => {
    authorize(c.get('actor'), 'change webhooks', clock())
    const texts = await readForm(c, 'url', ...leadEvents, 'sendsPersonalData')
    const fields = {
      url: texts.url.trim(),
      events: leadEvents.filter((event) => texts[event] !== ''),
      sendsPersonalData: texts.sendsPersonalData !== '',
    }
    const faults = webhooks.findFaults(fields)
    return Object.keys(faults).length > 0
      ? show(c, { message: makeFieldErrors(faults), texts })
      : write(c.get('actor'), fields)
  }
  /** Does something to one destination and returns to its page. */
  const act =
    (work: (actor: Actor, destination: Destination) => Promise<FlashMessage>) =>
    async (c: ConsoleContext) => {
      const actor = c.get('actor')
      authorize(actor, 'change webhooks', clock())
      const found = await webhooks.find(actor, c.req.param('id') ?? '')
      if (found === undefined) return showUnknown(c)
      const { destination } = found
      return notice.redirect(c, `${path}/${destination.id}`, await work(actor, destination))
    }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showAll(c, { message: notice.take(c) }))
    .post(path, (c) =>
      save(c, showAll, async (actor, fields) => {
        const { secret } = await webhooks.add(actor, fields)
        return showAll(c, { secret })
      }),
    )
    .get(`${path}/:id`, (c) => showOne(c, { message: notice.take(c) }))
    .post(`${path}/:id`, (c) =>
      save(c, showOne, async (actor, fields) =>
        (await webhooks.edit(actor, c.req.param('id'), fields))
          ? notice.redirect(c, c.req.path, well('The webhook is saved'))
          : showUnknown(c),
      ),
    )
    .post(
      `${path}/:id/test`,
      act(async (actor, destination) => {
        const { isAccepted, answer } = await webhooks.test(actor, destination)
        return {
          kind: isAccepted ? 'well' : 'problem',
          heading: `The test was ${isAccepted ? '' : 'not '}accepted`,
          text: `Answer: ${answer}.`,
        }
      }),
    )
    .post(
      `${path}/:id/again`,
      act(async (actor, destination) => {
        const count = await webhooks.sendAgain(actor, destination)
        return count === 0
          ? { kind: 'note', heading: 'No notification has failed' }
          : well(`Sending ${pluralize(count, 'failed notification')} again`)
      }),
    )
    .post(
      `${path}/:id/pause`,
      act(async (actor, destination) => {
        await webhooks.pause(actor, destination)
        const text = 'They wait for up to 7 days. Calls in progress finish.'
        return well('Notifications are paused', text)
      }),
    )
    .post(
      `${path}/:id/resume`,
      act(async (actor, destination) => {
        await webhooks.resume(actor, destination)
        return well('Notifications are running')
      }),
    )
    .post(`${path}/:id/remove`, async (c) => {
      const isRemoved = await webhooks.remove(c.get('actor'), c.req.param('id'))
      const removed = well('The webhook is deleted', 'Its waiting notifications are not sent.')
      return isRemoved ? notice.redirect(c, path, removed) : showUnknown(c)
    })
}

const well = (heading: string, text?: string): FlashMessage => ({ kind: 'well', heading, text })

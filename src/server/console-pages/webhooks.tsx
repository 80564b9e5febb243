import { Hono } from 'hono'
import { renderHtml } from '#console/render.ts'
import { WebhookPage, type WebhookPageProps } from '#console/webhooks/webhook-page.tsx'
import { WebhooksPage, type WebhooksPageProps } from '#console/webhooks/webhooks-page.tsx'
import { leadEvents } from '#domain/notifications/notification.ts'
import { authorize } from '#server/operators/authorize.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from './console-env.ts'
import type { FlashMessage } from './flash-message.ts'
import { makeFieldErrors, readForm } from './read-form.ts'

const path = '/webhooks'

/** The page Webhooks, and a page for each webhook and postback. */
export function webhookRoutes({ shellOf, showMessage, notice, webhooks, clock }: ConsoleServices) {
  const showAll = async (c: ConsoleContext, shown: Partial<WebhooksPageProps> = {}) => {
    const destinations = await webhooks.list(c.get('actor'))
    const page = <WebhooksPage shell={shellOf(c)} destinations={destinations} {...shown} />
    return c.html(renderHtml(page), shown.message?.kind === 'problem' ? 422 : 200)
  }
  const showOne = async (c: ConsoleContext, shown: Partial<WebhookPageProps> = {}) => {
    const found = await webhooks.find(c.get('actor'), c.req.param('id') ?? '')
    if (found === undefined) return showUnknown(c)
    const page = <WebhookPage shell={shellOf(c)} {...found} {...shown} />
    return c.html(renderHtml(page), shown.message?.kind === 'problem' ? 422 : 200)
  }
  const showUnknown = (c: ConsoleContext) =>
    showMessage(c, 'Webhook not found', 'It was deleted, or the affiliate has no postback.', 404)
  const readTexts = async (c: ConsoleContext) => {
    const names = ['url', 'events', 'rejected', 'returned', 'sendsPersonalData'] as const
    const { url, sendsPersonalData, ...form } = await readForm(c, ...names)
    const checked = { accepted: form.events, rejected: form.rejected, returned: form.returned }
    return {
      url: url.trim(),
      events: leadEvents.filter((event) => checked[event] !== ''),
      sendsPersonalData: sendsPersonalData !== '',
    }
  }
  /** Does something to one destination and returns to its page. */
  const act = async (
    c: ConsoleContext,
    verb: 'test' | 'pause' | 'resume',
    toNotice: (result: Awaited<ReturnType<(typeof webhooks)[typeof verb]>>) => FlashMessage,
  ) => {
    const actor = c.get('actor')
    authorize(actor, 'change webhooks', clock())
    const found = await webhooks.find(actor, c.req.param('id') ?? '')
    if (found === undefined) return showUnknown(c)
    const result = await webhooks[verb](actor, found.destination)
    return notice.redirect(c, `${path}/${found.destination.id}`, toNotice(result))
  }

  return new Hono<ConsoleEnv>()
    .get(path, (c) => showAll(c, { message: notice.take(c) }))
    .post(path, async (c) => {
      authorize(c.get('actor'), 'change webhooks', clock())
      const texts = await readTexts(c)
      const faults = webhooks.findFaults(texts)
      if (Object.keys(faults).length > 0) {
        return showAll(c, { message: makeFieldErrors(faults), texts })
      }
      const { secret } = await webhooks.add(c.get('actor'), texts)
      return showAll(c, { secret })
    })
    .get(`${path}/:id`, (c) => showOne(c, { message: notice.take(c) }))
    .post(`${path}/:id`, async (c) => {
      authorize(c.get('actor'), 'change webhooks', clock())
      const texts = await readTexts(c)
      const faults = webhooks.findFaults(texts)
      if (Object.keys(faults).length > 0) {
        return showOne(c, { message: makeFieldErrors(faults), texts })
      }
      const isSaved = await webhooks.edit(c.get('actor'), c.req.param('id'), texts)
      if (!isSaved) return showUnknown(c)
      return notice.redirect(c, c.req.path, { kind: 'well', heading: 'The webhook is saved' })
    })
    .post(`${path}/:id/test`, (c) =>
      act(c, 'test', (sent) =>
        typeof sent === 'object' && sent.isAccepted
          ? { kind: 'well', heading: 'The test was accepted', text: `Answer: ${sent.answer}.` }
          : {
              kind: 'problem',
              heading: 'The test was not accepted',
              text: typeof sent === 'object' ? `Answer: ${sent.answer}.` : undefined,
            },
      ),
    )
    .post(`${path}/:id/pause`, (c) => act(c, 'pause', () => notices.paused))
    .post(`${path}/:id/resume`, (c) => act(c, 'resume', () => notices.resumed))
    .post(`${path}/:id/remove`, async (c) => {
      const isRemoved = await webhooks.remove(c.get('actor'), c.req.param('id'))
      return isRemoved ? notice.redirect(c, path, notices.removed) : showUnknown(c)
    })
}

const notices = {
  paused: {
    kind: 'well',
    heading: 'Notifications are paused',
    text: 'They wait for up to 7 days. Calls in progress finish.',
  },
  resumed: { kind: 'well', heading: 'Notifications are running' },
  removed: {
    kind: 'well',
    heading: 'The webhook is deleted',
    text: 'Its waiting notifications are not sent.',
  },
} as const satisfies Record<string, FlashMessage>

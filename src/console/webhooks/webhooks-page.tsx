import { ConsolePage } from '#console/shell/console-page.tsx'
import { type Column, DataTable, makeNumberColumn } from '#console/shell/data-table.tsx'
import { ConfirmPage, EditForm } from '#console/shell/edit-form.tsx'
import { ButtonForm, OneTimeSecret } from '#console/shell/forms.tsx'
import { LeadLink } from '#console/shell/lead-link.tsx'
import { useMayDo, useNeedsStepUp } from '#console/shell/shell.tsx'
import { Timestamp } from '#console/shell/times.tsx'
import {
  describeCallResult,
  describeNotification,
  describeNotificationBreaker,
  describeWebhookRemoval,
  type LeadEvent,
  listEventsFor,
  usualWebhookEvents,
} from '#domain/notifications/notification.ts'
import { pluralize } from '#domain/text/formats.ts'
import type { WebhookActions } from '#server/notifications/manage-webhooks.ts'
import type { DestinationView } from '#server/notifications/read-destinations.ts'
import styles from './webhooks.module.css'

/** The values that the webhook form shows. A checkbox is checked if its value isn't empty. */
export type WebhookValues = Readonly<
  Partial<Record<'url' | LeadEvent | 'sendsPersonalData', string>>
>

/** The result of a form. `texts` are the values that the operator typed, if the server refused the form. */
export interface FormResult {
  /** The secret of a new webhook, which the page shows only once. */
  readonly secret?: string | undefined
  readonly texts?: WebhookValues | undefined
}

/** Lists the webhooks and the affiliates' postbacks, and has a form that adds a webhook. */
export function WebhooksPage({
  destinations,
  secret,
  texts,
}: FormResult & { destinations: readonly DestinationView[] }) {
  const mayDo = useMayDo()
  return (
    <ConsolePage name="Webhooks">
      {secret !== undefined && (
        <OneTimeSecret heading="The webhook is added" label="Signing secret" secret={secret}>
          Your system checks each call’s signature with this secret, as standardwebhooks.com
          describes. Copy the secret now: it is not shown again.
        </OneTimeSecret>
      )}
      <p>
        A webhook tells your own system, such as a CRM, when a lead is received, and when the
        distributor accepts, rejects or returns it. A postback tells an affiliate the distributor’s
        answers; edit the postback on the affiliate’s page.
      </p>
      <DataTable
        name="Webhooks"
        columns={columns}
        rows={destinations}
        empty="There are no webhooks, and no affiliate has a postback."
      />
      {mayDo('change webhooks') && <h2>Add a webhook</h2>}
      <EditForm
        {...webhookForm}
        action="/webhooks"
        button="Add webhook"
        values={
          texts ?? toFormValues({ name: '', events: usualWebhookEvents, sendsPersonalData: false })
        }
      />
    </ConsolePage>
  )
}

const columns: readonly Column<DestinationView>[] = [
  {
    heading: 'URL or affiliate',
    isWide: true,
    cell: ({ id, name }) => (
      <a className={styles.url} href={`/webhooks/${id}`}>
        {name}
      </a>
    ),
  },
  { heading: 'Kind', cell: ({ kind }) => kind },
  { heading: 'Events', cell: ({ events }) => events.join(', ') },
  {
    heading: 'Personal data',
    cell: ({ sendsPersonalData }) => (sendsPersonalData ? 'yes' : 'no'),
  },
  {
    heading: 'Status',
    isWide: true,
    cell: ({ breaker }) => describeNotificationBreaker(breaker) ?? 'working',
  },
  makeNumberColumn('Waiting', ({ waiting }) => waiting),
  {
    heading: 'Last sent',
    isOneLine: true,
    cell: ({ lastSentAt }) => lastSentAt !== null && <Timestamp at={lastSentAt} />,
  },
  {
    heading: 'Last error',
    isWide: true,
    cell: ({ lastFailure }) =>
      lastFailure !== null && (
        <>
          {lastFailure.reason}, <Timestamp at={lastFailure.at} />
        </>
      ),
  },
]

type FoundWebhook = NonNullable<Awaited<ReturnType<WebhookActions['find']>>>

/** Shows the status and the latest notifications of one webhook or postback. */
export function WebhookPage(props: FormResult & FoundWebhook) {
  const { destination, notifications, texts } = props
  const mayDo = useMayDo()
  const needsStepUp = useNeedsStepUp()
  const { kind, id, name, waiting, breaker } = destination
  const mayChange = mayDo('change webhooks')
  const isPaused = breaker.pause !== null
  const actionForm = (verb: string, button: string) => (
    <ButtonForm action={`/webhooks/${id}/${verb}`} button={button} />
  )
  return (
    <ConsolePage name={kind === 'webhook' ? 'Webhook' : 'Postback'}>
      <p className={styles.url}>
        {kind === 'webhook' ? name : <a href={`/affiliates/${id}`}>{name}</a>}{' '}
        <a href="/webhooks">All webhooks</a>
      </p>
      <p>
        {pluralize(waiting, 'notification')} waiting. Status:{' '}
        {describeNotificationBreaker(breaker) ?? 'working'}.
      </p>
      {mayChange && !needsStepUp && (
        <div className={styles.actions}>
          {actionForm('test', 'Send test')}
          {props.hasFailed && actionForm('again', 'Send failed again')}
          {isPaused ? actionForm('resume', 'Resume') : actionForm('pause', 'Pause')}
          {kind === 'webhook' && (
            <ButtonForm
              method="get"
              action={`/webhooks/${id}/remove`}
              button="Delete"
              variant="danger"
            />
          )}
        </div>
      )}
      <h2>Latest notifications</h2>
      <DataTable
        name="Notifications"
        columns={notificationColumns}
        rows={notifications}
        empty="There are no notifications yet."
      />
      {mayChange && kind === 'webhook' && (
        <>
          <h2>Change the webhook</h2>
          <EditForm
            {...webhookForm}
            action={`/webhooks/${id}`}
            button="Save"
            values={texts ?? toFormValues(destination)}
          />
        </>
      )}
    </ConsolePage>
  )
}

/** Asks the admin to confirm the deletion of a webhook. */
export const DeleteWebhookPage = ({
  destination: { id, name, waiting },
}: Pick<FoundWebhook, 'destination'>) => (
  <ConfirmPage
    name="Delete this webhook"
    warning={<p>{describeWebhookRemoval(waiting)}</p>}
    action={`/webhooks/${id}/remove`}
    button="Delete the webhook"
    back={`/webhooks/${id}`}
  >
    <p className={styles.url}>The URL is {name}. The audit log keeps the URL and the events.</p>
  </ConfirmPage>
)

const notificationColumns: readonly Column<FoundWebhook['notifications'][number]>[] = [
  { heading: 'Time', isOneLine: true, cell: ({ eventAt }) => <Timestamp at={eventAt} /> },
  { heading: 'Event', cell: ({ event }) => event },
  { heading: 'Lead', cell: ({ leadId }) => leadId !== null && <LeadLink id={leadId} /> },
  {
    heading: 'Result',
    isWide: true,
    cell: (row) => (
      <>
        {describeNotification(row)}
        {row.settledAs === null && row.attempts > 0 && (
          <>
            , <Timestamp at={row.nextAt} />
          </>
        )}
      </>
    ),
  },
  makeNumberColumn('Attempts', ({ attempts }) => attempts),
  { heading: 'Last answer', cell: describeCallResult },
  {
    heading: 'Reply',
    isWide: true,
    cell: ({ reply }) =>
      reply !== null && (
        <details>
          <summary>Show</summary>
          <p className={styles.reply}>{reply}</p>
        </details>
      ),
  },
]

const toFormValues = (
  webhook: Pick<DestinationView, 'name' | 'events' | 'sendsPersonalData'>,
): WebhookValues => ({
  url: webhook.name,
  ...Object.fromEntries(webhook.events.map((event) => [event, 'on'])),
  sendsPersonalData: webhook.sendsPersonalData ? 'on' : '',
})

const groups = [
  {
    fields: [
      {
        name: 'url',
        label: 'URL',
        hint: 'Begins with https://',
        inputMode: 'url',
        isRequired: true,
      },
    ],
  },
  {
    legend: 'Events',
    fields: listEventsFor('webhook').map((event) => ({
      name: event,
      label: `A lead is ${event}`,
      type: 'checkbox' as const,
    })),
  },
  {
    legend: 'Personal data',
    fields: [
      {
        name: 'sendsPersonalData',
        label: 'Send the person’s name, email, phone, address and answers',
        type: 'checkbox',
      },
    ],
  },
] as const

const webhookForm = {
  permission: 'change webhooks',
  needsStepUp: true,
  name: 'Webhook',
  className: styles.form,
  groups,
} as const

import { describeNotificationBreaker } from '#domain/notifications/describe-notification.ts'
import {
  type DestinationView,
  type LeadEvent,
  leadEvents,
} from '#domain/notifications/notification.ts'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { EditForm } from '../shell/edit-form.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import { ShownOnce } from '../shell/shown-once.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './webhooks.module.css'

/** The values of a webhook's form; a checked checkbox has any text. */
export type WebhookTexts = Readonly<
  Partial<Record<'url' | LeadEvent | 'sendsPersonalData', string>>
>

export interface WebhooksPageProps {
  shell: ConsoleShell
  destinations: readonly DestinationView[]
  message?: Message | undefined
  /** The secret of a new webhook, which the page shows only once. */
  secret?: string | undefined
  texts?: WebhookTexts | undefined
}

/** Lists the webhooks and the affiliates' postbacks, and adds a webhook. */
export function WebhooksPage({ shell, destinations, message, secret, texts }: WebhooksPageProps) {
  const [webhooks, postbacks] = (['webhook', 'postback'] as const).map((kind) =>
    destinations.filter((destination) => destination.kind === kind),
  )
  const keyOf = ({ id }: DestinationView) => id
  return (
    <ConsolePage shell={shell} name="Webhooks" message={message}>
      {secret !== undefined && (
        <Notice kind="well" heading="The webhook is added">
          <p id="secret-use">
            Your system checks each call’s signature with this secret, as standardwebhooks.com
            describes. Copy the secret now: it is not shown again.
          </p>
          <ShownOnce id="secret" label="Signing secret" value={secret} describedBy="secret-use" />
        </Notice>
      )}
      <p>
        A webhook tells a system of yours, such as a CRM, when the distributor accepts, rejects or
        returns a lead. A postback tells an affiliate the same; edit it on the affiliate’s page.
      </p>
      <h2>Webhooks</h2>
      <DataTable
        {...{ name: 'Webhooks', columns: webhookColumns, rows: webhooks ?? [], keyOf }}
        empty="There are no webhooks."
      />
      <h2>Postbacks</h2>
      <DataTable
        {...{ name: 'Postbacks', columns: postbackColumns, rows: postbacks ?? [], keyOf }}
        empty="No affiliate has a postback."
      />
      {isActionAllowed(shell, 'change webhooks') && <h2>Add a webhook</h2>}
      <WebhookForm
        shell={shell}
        action="/webhooks"
        button="Add webhook"
        errors={message?.fields}
        texts={texts ?? toWebhookTexts({ name: '', events: leadEvents, sendsPersonalData: false })}
      />
    </ConsolePage>
  )
}

const nameColumn: Column<DestinationView> = {
  heading: 'Name',
  isLong: true,
  cell: ({ id, name }) => (
    <a className={styles.url} href={`/webhooks/${id}`}>
      {name}
    </a>
  ),
}

const stateColumns: readonly Column<DestinationView>[] = [
  {
    heading: 'Status',
    isLong: true,
    cell: ({ breaker }) => describeNotificationBreaker(breaker) ?? 'working',
  },
  { heading: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting.toLocaleString('en-US') },
  {
    heading: 'Last sent',
    isWhole: true,
    cell: ({ lastSentAt }) => lastSentAt !== null && <Timestamp at={lastSentAt} />,
  },
  {
    heading: 'Last error',
    isLong: true,
    cell: ({ lastFailure }) =>
      lastFailure !== null && (
        <>
          {lastFailure.reason}, <Timestamp at={lastFailure.at} />
        </>
      ),
  },
]

const webhookColumns: readonly Column<DestinationView>[] = [
  { ...nameColumn, heading: 'URL' },
  { heading: 'Events', cell: ({ events }) => events.join(', ') },
  {
    heading: 'Personal data',
    cell: ({ sendsPersonalData }) => (sendsPersonalData ? 'yes' : 'no'),
  },
  ...stateColumns,
]

const postbackColumns = [{ ...nameColumn, heading: 'Affiliate' }, ...stateColumns]

/** @param webhook its `name` is the URL */
export const toWebhookTexts = ({
  name,
  events,
  sendsPersonalData,
}: Pick<DestinationView, 'name' | 'events' | 'sendsPersonalData'>): WebhookTexts => ({
  url: name,
  ...Object.fromEntries(events.map((event) => [event, 'on'])),
  sendsPersonalData: sendsPersonalData ? 'on' : '',
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
    fields: leadEvents.map((event) => ({
      ...{ name: event, label: `A lead is ${event}` },
      type: 'checkbox' as const,
    })),
  },
  {
    legend: 'Personal data',
    fields: [
      {
        name: 'sendsPersonalData',
        label: 'Send the lead’s name, contact, address and answers',
        type: 'checkbox',
      },
    ],
  },
] as const

interface WebhookFormProps {
  shell: ConsoleShell
  action: string
  button: string
  errors: Message['fields']
  texts: WebhookTexts
}

export const WebhookForm = ({ texts, ...form }: WebhookFormProps) => (
  <EditForm
    {...{ ...form, groups, values: texts }}
    permission="change webhooks"
    needsStepUp
    name="Webhook"
    className={styles.form}
  />
)

import { describeNotificationBreaker } from '#domain/notifications/describe-notification.ts'
import {
  type DestinationView,
  type LeadEvent,
  leadEvents,
} from '#domain/notifications/notification.ts'
import { TextField } from '#ui/field.tsx'
import { CheckboxField } from '#ui/select-field.tsx'
import { ConsolePage, type ConsoleShell, isActionAllowed } from '../shell/console-page.tsx'
import { type Column, DataTable } from '../shell/data-table.tsx'
import { PostForm, StepUpButton, SubmitButton } from '../shell/forms.tsx'
import { type Message, Notice } from '../shell/message.tsx'
import { ShownOnce } from '../shell/shown-once.tsx'
import { Timestamp } from '../shell/times.tsx'
import styles from './webhooks.module.css'

/** The values of a webhook's form. */
export interface WebhookTexts {
  readonly url: string
  readonly events: readonly LeadEvent[]
  readonly sendsPersonalData: boolean
}

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
  return (
    <ConsolePage shell={shell} name="Webhooks" message={message}>
      {secret !== undefined && <NewSecret secret={secret} />}
      <p>
        A webhook tells a system of yours, such as a CRM, when the distributor accepts, rejects or
        returns a lead. A postback tells an affiliate the same; edit it on the affiliate’s page.
      </p>
      <h2>Webhooks</h2>
      <DataTable
        name="Webhooks"
        columns={webhookColumns}
        rows={destinations.filter(({ kind }) => kind === 'webhook')}
        keyOf={({ id }) => id}
        empty="There are no webhooks."
      />
      <h2>Postbacks</h2>
      <DataTable
        name="Postbacks"
        columns={postbackColumns}
        rows={destinations.filter(({ kind }) => kind === 'postback')}
        keyOf={({ id }) => id}
        empty="No affiliate has a postback."
      />
      {isActionAllowed(shell, 'change webhooks') && (
        <>
          <h2>Add a webhook</h2>
          <WebhookForm
            shell={shell}
            action="/webhooks"
            button="Add webhook"
            errors={message?.fields}
            texts={texts ?? { url: '', events: leadEvents, sendsPersonalData: false }}
          />
        </>
      )}
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

interface WebhookFormProps {
  shell: ConsoleShell
  action: string
  button: string
  errors: Message['fields']
  texts: WebhookTexts
}

export function WebhookForm({ shell, action, button, errors, texts }: WebhookFormProps) {
  if (shell.confirmFor !== undefined) {
    return (
      <>
        <p>To change webhooks, confirm it’s you first.</p>
        <StepUpButton returnTo={shell.confirmFor} button="Confirm it’s you" />
      </>
    )
  }
  return (
    <PostForm className={styles.form} action={action} aria-label="Webhook" token={shell.token}>
      <TextField
        name="url"
        label="URL"
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        hint="Begins with https://"
        value={texts.url}
        error={errors?.url}
      />
      <fieldset className={styles.events}>
        <legend>Events</legend>
        {leadEvents.map((event) => (
          <CheckboxField
            key={event}
            // An error’s link leads to the first checkbox.
            name={event === leadEvents[0] ? 'events' : event}
            label={`A lead is ${event}`}
            required={false}
            isChecked={texts.events.includes(event)}
            error={event === leadEvents[0] ? errors?.events : undefined}
          />
        ))}
      </fieldset>
      <fieldset className={styles.events}>
        <legend>Personal data</legend>
        <CheckboxField
          name="sendsPersonalData"
          label="Send the lead’s name, contact, address and answers"
          required={false}
          isChecked={texts.sendsPersonalData}
          error={undefined}
        />
      </fieldset>
      <SubmitButton look="primary">{button}</SubmitButton>
    </PostForm>
  )
}

const NewSecret = ({ secret }: { secret: string }) => (
  <Notice kind="well" heading="The webhook is added">
    <p id="secret-use">
      Your system checks each call’s signature with this secret, as standardwebhooks.com describes.
      Copy the secret now: it is not shown again.
    </p>
    <ShownOnce id="secret" label="Signing secret" value={secret} describedBy="secret-use" />
  </Notice>
)

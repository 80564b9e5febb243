import type {
  AffiliateErrors,
  AffiliateField,
  AffiliateTexts,
} from '#domain/affiliate/affiliate.ts'
import type { ConsoleShell } from '../shell/console-page.tsx'
import { EditForm, type FormField } from '../shell/edit-form.tsx'

export interface AffiliateFormProps {
  shell: ConsoleShell
  action: string
  name: string
  button: string
  typed: AffiliateTexts
  errors: AffiliateErrors | undefined
}

const fields: readonly FormField<AffiliateField>[] = [
  { name: 'name', label: 'Name', isRequired: true },
  {
    name: 'ids',
    label: 'Affiliate ids',
    type: 'lines',
    hint: 'One per line, exactly as in the links, with the same capital letters.',
  },
  {
    name: 'payout',
    label: 'Payout per lead',
    hint: 'Optional. US dollars for each lead that the distributor accepts and keeps.',
  },
  {
    name: 'postback',
    label: 'Postback URL',
    hint: 'Optional. The https address that the server calls with each result. Macros such as {click_id}, {event} and {payout} are filled in.',
  },
  { name: 'notes', label: 'Notes', type: 'lines', hint: 'Optional. All operators see them.' },
]

/** Adds or changes an affiliate. */
export const AffiliateForm = ({ typed, ...form }: AffiliateFormProps) => (
  <EditForm
    {...form}
    permission="change affiliates"
    needsStepUp
    groups={[{ fields }]}
    values={typed}
  />
)

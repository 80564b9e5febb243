import { type Role, roles } from '#domain/operator/role.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import controls from '../shell/controls.module.css'
import { PostForm } from '../shell/forms.tsx'
import type { Message } from '../shell/message.tsx'
import styles from './operators-page.module.css'

const may: Readonly<Record<Role, string>> = {
  viewer: 'sees leads with personal data masked',
  operator: 'also reveals, retries, settles, releases, pauses',
  admin: 'also exports, erases, manages operators',
}

export interface InvitationFormProps {
  token: string
  /** As typed, where it was refused. */
  typed?: { readonly email: string; readonly role: string } | undefined
  errors: Message['fields']
}

export function InvitationForm({ token, typed, errors }: InvitationFormProps) {
  return (
    <PostForm
      className={styles.invite}
      action="/operators"
      aria-label="An invitation"
      token={token}
    >
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        error={errors?.email}
        value={typed?.email ?? ''}
      />
      <SelectField
        name="role"
        label="Role"
        error={errors?.role}
        value={typed?.role ?? ''}
        placeholder={{ value: '', text: 'Choose what they may' }}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {role}: {may[role]}
          </option>
        ))}
      </SelectField>
      <button className={controls.primary} type="submit">
        Make an invitation
      </button>
    </PostForm>
  )
}

import type { Action } from '#domain/operator/rights.ts'
import drawn from '#ui/field.module.css'
import { Field, makeFieldIds, TextField } from '#ui/field.tsx'
import { CheckboxField, SelectField } from '#ui/select-field.tsx'
import choices from './choices.module.css'
import { type ConsoleShell, isActionAllowed } from './console-page.tsx'
import controls from './controls.module.css'
import { PostForm, StepUpButton, SubmitButton } from './forms.tsx'
import type { Message } from './message.tsx'

/** A field of a form; without a type a line of text. */
export interface FormField<Name extends string = string> {
  readonly name: Name
  readonly label: string
  readonly hint?: string
  readonly type?: 'text' | 'lines' | 'checkbox' | 'file'
  /** The values to choose from, with the text of the empty choice. */
  readonly options?: readonly { readonly value: string; readonly text: string }[]
  readonly empty?: string
  readonly isRequired?: boolean
  /** The keyboard of a phone. */
  readonly inputMode?: 'numeric' | 'url'
}

export interface FieldGroup<Name extends string = string> {
  readonly legend?: string
  readonly fields: readonly FormField<Name>[]
}

interface EditFormProps<Name extends string> {
  shell: ConsoleShell
  /** The permission that the form's action needs: without it, there is no form. */
  permission: Action
  /** Whether the permission needs a recent sign-in, which a button then offers instead of the form. */
  needsStepUp?: boolean
  action: string
  /** The form's accessible name. */
  name: string
  button: string
  groups: readonly FieldGroup<Name>[]
  /** The values as stored or as typed; a checked checkbox has any text. */
  values: Readonly<Partial<Record<Name, string>>>
  errors: Message['fields']
  hidden?: Readonly<Record<string, string | undefined>>
  className?: string | undefined
}

/** A form that adds or changes something, from a declaration of its fields. */
export function EditForm<Name extends string>(props: EditFormProps<Name>) {
  const { shell, permission, needsStepUp, action, name, button, groups, values, errors } = props
  if (!isActionAllowed(shell, permission)) return null
  if (needsStepUp && shell.stepUpFor !== undefined) {
    return <StepUpButton returnTo={shell.stepUpFor} button={`Confirm it’s you to ${permission}`} />
  }
  const fieldOf = (field: FormField<Name>) => (
    <EditField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      error={errors?.[field.name]}
    />
  )
  const hasFile = groups.some(({ fields }) => fields.some(({ type }) => type === 'file'))
  return (
    <PostForm
      className={props.className ?? controls.narrow}
      action={action}
      aria-label={name}
      encType={hasFile ? 'multipart/form-data' : undefined}
      token={shell.token}
      fields={props.hidden ?? {}}
    >
      {groups.map(({ legend, fields }) =>
        legend === undefined ? (
          fields.map(fieldOf)
        ) : (
          <fieldset key={legend} className={choices.choices}>
            <legend>{legend}</legend>
            {fields.map(fieldOf)}
          </fieldset>
        ),
      )}
      <div>
        <SubmitButton look="primary">{button}</SubmitButton>
      </div>
    </PostForm>
  )
}

interface EditFieldProps {
  field: FormField
  value: string
  error: string | undefined
}

function EditField({ field, value, error }: EditFieldProps) {
  const { name, label, hint, type, options, empty = '', isRequired = false, inputMode } = field
  const named = { name, label, error, ...(hint && { hint }) }
  const ids = makeFieldIds(name, hint, error)
  const control = {
    className: drawn.input,
    id: ids.control,
    name,
    'aria-invalid': error !== undefined,
    'aria-describedby': ids.describedBy,
  }
  if (options !== undefined) {
    return (
      <SelectField
        {...named}
        required={isRequired}
        value={value}
        placeholder={{ value: '', text: empty }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </SelectField>
    )
  }
  if (type === 'checkbox') {
    return <CheckboxField {...named} required={isRequired} isChecked={value !== ''} />
  }
  if (type === 'lines' || type === 'file') {
    return (
      <Field {...named}>
        {type === 'lines' ? (
          <textarea {...control} rows={4} defaultValue={value} />
        ) : (
          <input {...control} type="file" accept=".csv,text/csv,text/plain" />
        )}
      </Field>
    )
  }
  return (
    <TextField
      {...{ ...named, value, inputMode }}
      required={isRequired}
      type="text"
      autoComplete="off"
    />
  )
}

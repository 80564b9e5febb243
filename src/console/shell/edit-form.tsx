import type { ReactNode } from 'react'
import type { Permission } from '#domain/operator/permissions.ts'
import { Field, splitFieldProps, TextField } from '#ui/field.tsx'
import { CheckboxField, SelectField } from '#ui/select-field.tsx'
import choices from './choices.module.css'
import { ConsolePage } from './console-page.tsx'
import controls from './controls.module.css'
import { PostForm, StepUpButton, SubmitButton } from './forms.tsx'
import { Callout } from './message.tsx'
import { useFieldErrors, useMayDo, useNeedsStepUp } from './shell.tsx'

export interface FormField<Name extends string = string> {
  readonly name: Name
  readonly label: string
  readonly hint?: string
  /** The kind of field; by default, one line of text. */
  readonly type?: 'email' | 'date' | 'lines' | 'checkbox' | 'file'
  /** The options make the field a select; `empty` is the text of the empty option. */
  readonly options?: readonly { readonly value: string; readonly text: string }[]
  readonly empty?: string
  readonly isRequired?: boolean
  /** The keyboard that a phone shows for the field. */
  readonly inputMode?: 'numeric' | 'url'
}

export interface FieldGroup<Name extends string = string> {
  readonly legend?: string
  readonly fields: readonly FormField<Name>[]
}

interface EditFormProps<Name extends string> {
  /** The permission that the form needs. Operators without this permission see no form. */
  permission: Permission
  /** Whether the form needs a recent sign-in. If there is none, a button to confirm the identity replaces the form. */
  needsStepUp?: boolean
  action: string
  /** The form's accessible name. */
  name: string
  button: string
  groups: readonly FieldGroup<Name>[]
  /** The fields' values, as stored or as typed. A checkbox is checked if its value isn't empty. */
  values: Readonly<Partial<Record<Name, string>>>
  hidden?: Readonly<Record<string, string | undefined>>
  className?: string | undefined
}

/** Renders a form from a declaration of its fields. */
export function EditForm<Name extends string>(props: EditFormProps<Name>) {
  const { permission, needsStepUp, action, name, button, groups, values } = props
  const mayDo = useMayDo()
  const errors = useFieldErrors()
  const isStepUpMissing = useNeedsStepUp()
  if (!mayDo(permission)) return null
  if (needsStepUp && isStepUpMissing) {
    return <StepUpButton button={`Confirm it’s you to ${permission}`} />
  }
  const fieldOf = (field: FormField<Name>) => (
    <EditField
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      error={errors[field.name]}
    />
  )
  const hasFile = groups.some(({ fields }) => fields.some(({ type }) => type === 'file'))
  return (
    <PostForm
      className={props.className ?? controls.narrow}
      action={action}
      aria-label={name}
      encType={hasFile ? 'multipart/form-data' : undefined}
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
        <SubmitButton variant="primary">{button}</SubmitButton>
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
  const labeled = { name, label, error, ...(hint && { hint }) }
  if (options !== undefined) {
    return (
      <SelectField
        {...labeled}
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
    return <CheckboxField {...labeled} required={isRequired} isChecked={value !== ''} />
  }
  if (type === 'lines' || type === 'file') {
    const { field: frame, control } = splitFieldProps({ ...labeled, required: isRequired })
    return (
      <Field {...frame}>
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
      {...labeled}
      value={value}
      inputMode={inputMode}
      required={isRequired}
      type={type ?? 'text'}
      autoComplete="off"
    />
  )
}

export interface ConfirmPageProps {
  /** The page's heading, which names the action. */
  name: string
  /** The heading of the warning; by default, that the action is final. */
  heading?: string
  /** What the action does or loses. */
  warning: ReactNode
  /** What else the operator should know before the action. */
  children?: ReactNode
  action: string
  fields?: Readonly<Record<string, string | undefined>>
  /** The fields that the operator fills in. */
  inputs?: ReactNode
  button: string
  /** Another button of the same form. */
  other?: ReactNode
  /** The page that the operator came from. */
  back: string
}

/** Asks the operator to confirm an action, after the page has said what it does. */
export const ConfirmPage = (props: ConfirmPageProps) => {
  const {
    name,
    heading = 'This cannot be undone',
    warning,
    children,
    action,
    fields,
    inputs,
    button,
    other,
    back,
  } = props
  return (
    <ConsolePage name={name}>
      <div className={controls.narrow}>
        <Callout kind="problem" heading={heading}>
          {warning}
        </Callout>
        {children}
        <PostForm action={action} fields={fields ?? {}}>
          {inputs}
          <div className={controls.acts}>
            <SubmitButton variant="danger">{button}</SubmitButton>
            {other}
            <a href={back}>Cancel</a>
          </div>
        </PostForm>
      </div>
    </ConsolePage>
  )
}

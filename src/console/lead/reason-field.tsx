import { TextField } from '#ui/text-field.tsx'

interface ReasonFieldProps {
  label: string
  /** What was given, where the form was refused. */
  value?: string | undefined
  error: string | undefined
}

/** Why, in the operator's own words. Nobody has to say it. */
export const ReasonField = ({ label, value = '', error }: ReasonFieldProps) => (
  <TextField
    name="reason"
    label={`${label} (optional)`}
    required={false}
    type="text"
    autoComplete="off"
    hint="Stands in the audit for good: name nobody."
    error={error}
    value={value}
  />
)

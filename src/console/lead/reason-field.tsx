import { TextField } from '#ui/text-field.tsx'

interface ReasonFieldProps {
  label: string
  /** What was given, where the form was refused. */
  value?: string
}

/** Why, in the operator's own words. Nobody has to say it. */
export const ReasonField = ({ label, value = '' }: ReasonFieldProps) => (
  <TextField
    name="reason"
    label={`${label} (optional)`}
    required={false}
    type="text"
    autoComplete="off"
    maxLength={450}
    hint="Stands in the audit for good: name nobody."
    error={undefined}
    value={value}
  />
)

import { TextField } from '../../ui/text-field.tsx'
import type { StepFieldsProps } from '../step-fields-props.ts'
import { formatPhoneInput } from './format-phone-input.ts'

export function AboutYouFields({ answers, errors }: StepFieldsProps) {
  return (
    <>
      <TextField
        name="firstName"
        label="First name"
        autoComplete="given-name"
        value={answers.firstName}
        error={errors.firstName}
      />
      <TextField
        name="lastName"
        label="Last name"
        autoComplete="family-name"
        value={answers.lastName}
        error={errors.lastName}
      />
      <TextField
        name="phone"
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        onInput={formatPhoneInput}
        value={answers.phone}
        error={errors.phone}
      />
      <TextField
        name="email"
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        value={answers.email}
        error={errors.email}
      />
    </>
  )
}

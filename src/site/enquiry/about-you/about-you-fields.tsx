import { useState } from 'react'
import { reasons } from '#content/messages.ts'
import { fieldIds } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { StepFieldsProps } from '../step-fields-props.ts'
import { EmailSuggestion } from './email-suggestion.tsx'
import { formatPhoneInput } from './format-phone-input.ts'

export function AboutYouFields({ answers, errors }: StepFieldsProps) {
  // Asked once the field is left: while it is typed, every address is unfinished.
  const [typedEmail, setTypedEmail] = useState('')
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
        why={reasons.phone}
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
        onBlur={(event) => setTypedEmail(event.currentTarget.value)}
        value={answers.email}
        error={errors.email}
      />
      <EmailSuggestion
        email={typedEmail === answers.email ? typedEmail : ''}
        fieldId={fieldIds('email').control}
      />
    </>
  )
}

import { useState } from 'react'
import { phoneHint } from '#content/first-step-texts.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import type { StepFieldsProps } from './enquiry-form.tsx'

export function AboutYouFields({ answers, errors, question, logic }: StepFieldsProps) {
  const [meant, setMeant] = useState<string>()
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
        hint={phoneHint}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        onInput={logic?.formatInput}
        onCompositionEnd={logic?.formatInput}
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
        onInput={({ currentTarget }) =>
          setMeant(logic?.suggestEmailWhileTyping(currentTarget.value))
        }
        onKeyDown={({ key, currentTarget }) => {
          // Only the Tab key shows the suggestion: if a click on Next showed it, Next would move away from the pointer.
          if (key === 'Tab') setMeant(logic?.emailSuggestion(currentTarget.value))
        }}
        value={answers.email}
        error={errors.email}
      />
      {logic &&
        (question ? (
          <logic.ContactQuestion question={question} answers={answers} />
        ) : (
          <logic.EmailSuggestion meant={meant} fieldId={makeFieldIds('email').control} />
        ))}
    </>
  )
}

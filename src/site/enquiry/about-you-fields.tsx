import { phoneHint } from '#content/fresh-form.ts'
import { TextField } from '#ui/field.tsx'
import type { StepFieldsProps } from './enquiry-form.tsx'

export function AboutYouFields({ answers, errors, question, logic }: StepFieldsProps) {
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
        onBlur={logic?.formatInput}
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
      {logic && question && <logic.QuestionBox question={question} phone={answers.phone} />}
    </>
  )
}

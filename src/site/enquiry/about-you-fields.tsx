import { useState } from 'react'
import { phoneHint } from '#content/first-step-texts.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { type StepFieldsProps, toFieldProps } from './form-state.ts'

export function AboutYouFields(props: StepFieldsProps) {
  const { answers, question, logic } = props
  const [meantEmail, setMeantEmail] = useState<string>()
  return (
    <>
      <TextField {...toFieldProps('firstName', props)} autoComplete="given-name" />
      <TextField {...toFieldProps('lastName', props)} autoComplete="family-name" />
      <TextField
        {...toFieldProps('phone', props)}
        hint={phoneHint}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        onInput={logic?.formatInput}
        onCompositionEnd={logic?.formatInput}
      />
      <TextField
        {...toFieldProps('email', props)}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        onInput={({ currentTarget }) =>
          setMeantEmail(logic?.suggestEmailWhileTyping(currentTarget.value))
        }
        onKeyDown={({ key, currentTarget }) => {
          // Only the Tab key shows the suggestion: if a click on Next showed it, Next would move away from the pointer.
          if (key === 'Tab') setMeantEmail(logic?.suggestEmail(currentTarget.value))
        }}
      />
      {logic &&
        (question ? (
          <logic.ContactQuestion question={question} answers={answers} />
        ) : (
          <logic.EmailSuggestion meantEmail={meantEmail} fieldId={makeFieldIds('email').control} />
        ))}
    </>
  )
}

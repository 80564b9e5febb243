import { useState } from 'react'
import { phoneHint } from '#content/early-form-texts.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { type StepFieldsProps, toFieldProps } from './form-state.ts'

export function AboutYouFields(props: StepFieldsProps) {
  const { answers, question, lateScript } = props
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
        onInput={lateScript?.formatInput}
        onCompositionEnd={lateScript?.formatInput}
      />
      <TextField
        {...toFieldProps('email', props)}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        onInput={({ currentTarget }) =>
          setMeantEmail(lateScript?.suggestEmailWhileTyping(currentTarget.value))
        }
        onKeyDown={({ key, currentTarget }) => {
          // Only the Tab key shows the suggestion: after a click on Next, it would push Next away from the pointer.
          if (key === 'Tab') setMeantEmail(lateScript?.suggestEmail(currentTarget.value))
        }}
      />
      {lateScript &&
        (question ? (
          <lateScript.ContactQuestion question={question} answers={answers} />
        ) : (
          <lateScript.EmailSuggestion
            meantEmail={meantEmail}
            fieldId={makeFieldIds('email').control}
          />
        ))}
    </>
  )
}

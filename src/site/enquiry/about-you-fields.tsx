import { useState } from 'react'
import { phoneHint } from '#content/first-script-texts.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { type StepFieldsProps, toFieldProps } from './form-state.ts'

export function AboutYouFields(props: StepFieldsProps) {
  const { answers, question, lazyParts } = props
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
        onInput={lazyParts?.formatInput}
        onCompositionEnd={lazyParts?.formatInput}
      />
      <TextField
        {...toFieldProps('email', props)}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        onInput={({ currentTarget }) =>
          setMeantEmail(lazyParts?.suggestEmailWhileTyping(currentTarget.value))
        }
        onKeyDown={({ key, currentTarget }) => {
          // Only the Tab key shows the suggestion: after a click on Next, it would push Next away from the pointer.
          if (key === 'Tab') setMeantEmail(lazyParts?.suggestEmail(currentTarget.value))
        }}
      />
      {lazyParts &&
        (question ? (
          <lazyParts.ContactQuestion question={question} answers={answers} />
        ) : (
          <lazyParts.EmailSuggestion
            meantEmail={meantEmail}
            fieldId={makeFieldIds('email').control}
          />
        ))}
    </>
  )
}

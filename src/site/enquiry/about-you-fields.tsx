import { useState } from 'react'
import { phoneHint } from '#content/first-script-texts.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import type { ControlProps, Controls } from './form-state.ts'

function EmailControl({ field, answers, question, lazyParts }: ControlProps) {
  const [meantEmail, setMeantEmail] = useState<string>()
  return (
    <>
      <TextField
        {...field}
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

/** The controls of the first step, which the page's first script needs. */
export const aboutYouControls: Controls<'about-you'> = {
  firstName: ({ field }) => <TextField {...field} autoComplete="given-name" />,
  lastName: ({ field }) => <TextField {...field} autoComplete="family-name" />,
  phone: ({ field, lazyParts }) => (
    <TextField
      {...field}
      hint={phoneHint}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      onInput={lazyParts?.formatInput}
      onCompositionEnd={lazyParts?.formatInput}
    />
  ),
  email: EmailControl,
}

import { phoneHint } from '#content/first-script-texts.ts'
import { TextField } from '#ui/field.tsx'
import type { Controls } from './form-state.ts'

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
  email: ({ field, answers, question, lazyParts }) => (
    <>
      <TextField
        {...field}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
      />
      {lazyParts && question && <lazyParts.ContactQuestion question={question} answers={answers} />}
    </>
  ),
}

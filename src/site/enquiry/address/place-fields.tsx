import { useEffect } from 'react'
import { byHandHint, fromZipHint, otherState, otherStateHint } from '#content/messages.ts'
import type { ZipPlace } from '#domain/enquiry/address.ts'
import { stateName } from '#domain/enquiry/state-code.ts'
import { fieldIds } from '#ui/field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { fillIn } from '../controls/fill-in.ts'
import { QuestionBox } from '../form/question-box.tsx'
import type { StepFieldsProps } from '../form/step-fields-props.ts'

interface PlaceFieldsProps extends Pick<StepFieldsProps, 'answers' | 'errors' | 'question'> {
  /** The ZIP's, where it is known. */
  place: ZipPlace | undefined
}

/** City and state, where the visitor enters or confirms them (reading 11). */
export function PlaceFields({ answers, errors, question, place }: PlaceFieldsProps) {
  const { city = '', state = '' } = place ?? {}
  useEffect(() => {
    // The ZIP was mended, or its service answers by now.
    const isEmpty = controls.every((id) => fieldText(id) === '')
    if (isEmpty && city && state) {
      fillIn(cityControl, city)
      fillIn(stateControl, state)
    }
  }, [city, state])
  return (
    <>
      <p>{state ? fromZipHint : byHandHint}</p>
      <TextField
        name="city"
        label="City"
        autoComplete="address-level2"
        value={answers.city}
        error={errors.city}
      />
      <TextField
        name="state"
        label="State"
        hint="Like FL or Florida"
        autoCapitalize="words"
        autoComplete="address-level1"
        value={answers.state}
        error={errors.state}
      />
      {question?.zipState && (
        <QuestionBox
          heading={otherState(answers.zip, inWords(question.zipState), inWords(answers.state))}
          hint={otherStateHint}
        />
      )}
    </>
  )
}

const { control: cityControl } = fieldIds('city')
const { control: stateControl } = fieldIds('state')
const controls = [cityControl, stateControl]

const fieldText = (id: string): string | undefined =>
  (document.getElementById(id) as HTMLInputElement | null)?.value

const inWords = (code: string): string => `${stateName(code)} (${code})`

import { type SyntheticEvent, useState } from 'react'
import { byHandHint } from '#content/messages.ts'
import { TextField } from '../../ui/text-field.tsx'
import { formatInput } from '../form/format-input.ts'
import type { StepFieldsProps } from '../form/step-fields-props.ts'
import { AddressQuestion } from './address-question.tsx'
import { ZipPlace } from './zip-place.tsx'

export function AddressFields({ answers, errors, standing, question }: StepFieldsProps) {
  // What stands in the field where it is a whole ZIP: nothing is looked up, or rendered, for less.
  const [zip, setZip] = useState(wholeZip(answers.zip))
  function editZip(event: SyntheticEvent<HTMLInputElement>) {
    formatInput(event)
    setZip(wholeZip(event.currentTarget.value))
  }
  return (
    <>
      <TextField
        name="address"
        label="Street address"
        autoComplete="address-line1"
        value={answers.address}
        error={errors.address}
      />
      {question && <AddressQuestion {...question} />}
      <TextField
        name="zip"
        label="ZIP code"
        inputMode="numeric"
        autoComplete="postal-code"
        onInput={editZip}
        onCompositionEnd={editZip}
        value={answers.zip}
        error={errors.zip}
      />
      <ZipPlace
        zip={zip}
        checked={
          standing.by === 'check' && zip === answers.zip ? `${answers.city}, ${answers.state}` : ''
        }
      />
      {standing.by === 'hand' && (
        <>
          <p>{byHandHint}</p>
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
            hint="Two letters, like FL"
            maxLength={2}
            autoCapitalize="characters"
            autoComplete="address-level1"
            value={answers.state}
            error={errors.state}
          />
        </>
      )}
    </>
  )
}

const wholeZip = (text: string): string => (/^\d{5}$/.test(text) ? text : '')

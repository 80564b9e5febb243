import { type SyntheticEvent, useEffect, useState } from 'react'
import type { ZipPlace as Place } from '#domain/enquiry/address.ts'
import type { AddressCheckState, Answers } from '#domain/enquiry/enquiry.ts'
import { tidyZip } from '#domain/enquiry/tidy-answers.ts'
import { fieldIds } from '#ui/field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { formatInput } from '../form/format-input.ts'
import type { StepFieldsProps } from '../form/step-fields-props.ts'
import { AddressQuestion } from './address-question.tsx'
import { PlaceFields } from './place-fields.tsx'
import { useZipPlace } from './use-zip-place.ts'
import zipStyles from './zip-place.module.css'

export function AddressFields({ answers, errors, addressCheck, question }: StepFieldsProps) {
  // What stands in the field where it is a whole ZIP: nothing is looked up, or rendered, for less.
  const [zip, setZip] = useState(wholeZip(answers.zip))
  const found = useZipPlace(zip)
  const place = found ?? (zip === answers.zip ? placeOf(answers, addressCheck) : undefined)
  function editZip(event: SyntheticEvent<HTMLInputElement>) {
    formatInput(event)
    setZip(wholeZip(event.currentTarget.value))
  }
  useEffect(() => {
    const input = document.getElementById(fieldIds('zip').control) as HTMLInputElement | null
    // Autofill may fire `change` alone, which React does not report for a value that a script has set.
    const onChange = () => setZip(wholeZip(tidyZip(input?.value ?? '')))
    input?.addEventListener('change', onChange)
    return () => input?.removeEventListener('change', onChange)
  }, [])
  return (
    <>
      <TextField
        name="address"
        label="Street address"
        autoComplete="address-line1"
        value={answers.address}
        error={errors.address}
      />
      {question && !question.zipState && <AddressQuestion {...question} />}
      <div className={zipStyles.zip}>
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
        <ZipPlace {...place} />
      </div>
      {addressCheck.by === 'hand' && (
        <PlaceFields answers={answers} errors={errors} question={question} place={place} />
      )}
    </>
  )
}

/** The place of the ZIP, beside its field, so that nothing moves as it comes. */
const ZipPlace = ({ city, state }: Place) => (
  <p className={zipStyles.place} role="status">
    {city && state && `${city}, ${state}`}
  </p>
)

const wholeZip = (text: string): string => (/^\d{5}$/.test(text) ? text : '')

/** What the address check has found, or the ZIP lookup where that failed; for a page that has no script, too. */
function placeOf({ city, state }: Answers, { by, zipState }: AddressCheckState): Place | undefined {
  if (by === 'check') return { city, state }
  return zipState ? { state: zipState } : undefined
}

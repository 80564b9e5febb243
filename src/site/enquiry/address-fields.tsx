import { useEffect, useState } from 'react'
import { byHandHint } from '#content/messages.ts'
import type { ZipPlace } from '#domain/enquiry/address.ts'
import { tidyZip } from '#domain/enquiry/tidy-answers.ts'
import { fieldIds, TextField } from '#ui/field.tsx'
import { addressServices } from './api-client.ts'
import type { StepFieldsProps } from './enquiry-form.tsx'
import { formatInput } from './format-input.ts'
import { QuestionBox } from './question-box.tsx'
import zipStyles from './zip-place.module.css'

/** Looks up city and state as soon as the ZIP is complete. A wrong ZIP is reported only when the visitor presses Next. */
function useZipPlace(zip: string): ZipPlace | undefined {
  const [found, setFound] = useState<{ zip: string; place: ZipPlace }>()

  useEffect(() => {
    if (!/^\d{5}$/.test(zip)) return
    let isCurrent = true
    addressServices.lookUpZip(zip).then(
      (place) => {
        if (isCurrent) setFound({ zip, place })
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [zip])

  return found?.zip === zip ? found.place : undefined
}

export function AddressFields({ answers, errors, addressCheck, question }: StepFieldsProps) {
  const [zip, setZip] = useState(answers.zip)
  const isChecked = zip === answers.zip && addressCheck.by === 'check'
  const place = useZipPlace(zip) ?? (isChecked ? answers : undefined)
  useEffect(() => {
    const input = document.getElementById(fieldIds('zip').control) as HTMLInputElement | null
    const onEdit = () => setZip(tidyZip(input?.value ?? ''))
    // Autofill may fire only `change`, which React does not report for a value that a script has set.
    for (const type of ['input', 'change']) input?.addEventListener(type, onEdit)
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
      {question && <QuestionBox question={question} phone={answers.phone} />}
      <div className={zipStyles.zip}>
        <TextField
          name="zip"
          label="ZIP code"
          inputMode="numeric"
          autoComplete="postal-code"
          onInput={formatInput}
          onCompositionEnd={formatInput}
          onBlur={formatInput}
          value={answers.zip}
          error={errors.zip}
        />
        {/* The ZIP's place is beside its field, so that nothing moves when the place arrives. */}
        <p className={zipStyles.place} role="status">
          {place?.city && place.state && `${place.city}, ${place.state}`}
        </p>
      </div>
      {/* City and state, if the visitor enters or confirms them (reading 11). */}
      {addressCheck.by === 'hand' && (
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

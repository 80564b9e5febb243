import { type SyntheticEvent, useEffect, useState } from 'react'
import {
  enterPlaceHint,
  stateMismatchHint,
  stateMismatchQuestion,
  addressQuestionTexts as words,
  zipPlaceHint,
} from '#content/messages.ts'
import type {
  ZipPlace as Place,
  AddressQuestion as Question,
  ZipPlace,
} from '#domain/enquiry/address.ts'
import type { AddressCheckState, Answers } from '#domain/enquiry/enquiry.ts'
import { normalizeZip } from '#domain/enquiry/normalize-answers.ts'
import { findStateName } from '#domain/enquiry/state-code.ts'
import field from '#ui/field.module.css'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { lookUpZip } from './api-client.ts'
import type { StepFieldsProps } from './enquiry-form.tsx'
import { fillField, formatInput } from './format-input.ts'
import styles from './question-box.module.css'
import { QuestionBox } from './question-box.tsx'
import zipStyles from './zip-place.module.css'

/**
 * Looks up city and state as soon as the ZIP is complete. A wrong ZIP is reported only when the visitor presses Next.
 *
 * @param zip five digits; empty while the ZIP is incomplete
 */
function useZipPlace(zip: string): ZipPlace | undefined {
  const [found, setFound] = useState<{ zip: string; place: ZipPlace }>()

  useEffect(() => {
    if (zip === '') return
    let isCurrent = true
    lookUpZip(zip).then(
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

const { control } = makeFieldIds('unit')

/** @param isAlone true if the form asks only for the unit, which then has its own button */
function UnitField({ isAlone }: { isAlone: boolean }) {
  return (
    <>
      <label className={field.label} htmlFor={control}>
        {words.unitLabel}
      </label>
      <div className={styles.unit}>
        <input
          className={field.input}
          id={control}
          name="unit"
          autoComplete="address-line2"
          maxLength={30}
        />
        {isAlone && (
          <button className={styles.answer} type="submit" name="move" value="next">
            {words.addUnit}
          </button>
        )}
      </div>
    </>
  )
}

/** Asks about a validated address. Every button leads to the next step; Enter keeps the typed street. */
function AddressQuestion({ suggestion, asksForUnit, isStreetUnknown }: Question) {
  const asksAboutStreet = suggestion !== undefined || isStreetUnknown
  return (
    <QuestionBox
      heading={
        suggestion ? words.suggestion(suggestion) : isStreetUnknown ? words.unknown : words.unit
      }
      hint={[isStreetUnknown && words.unknownHint, asksForUnit && words.unitHint]
        .filter(Boolean)
        .join(' ')}
    >
      {asksForUnit && <UnitField isAlone={!asksAboutStreet} />}
      <div className={styles.answers}>
        {asksAboutStreet ? (
          <button className={styles.answer} type="submit" name="move" value="next">
            {words.keep}
          </button>
        ) : (
          <button className={styles.answer} type="submit" name="move" value="no-unit">
            {words.noUnit}
          </button>
        )}
        {suggestion && (
          <button className={styles.answer} type="submit" name="suggestion" value={suggestion}>
            {words.take(suggestion)}
          </button>
        )}
      </div>
    </QuestionBox>
  )
}

interface PlaceFieldsProps extends Pick<StepFieldsProps, 'answers' | 'errors' | 'question'> {
  /** The ZIP's city and state, if known. */
  place: ZipPlace | undefined
}

/** The fields for city and state, if the visitor enters or confirms them (reading 11). */
function PlaceFields({ answers, errors, question, place }: PlaceFieldsProps) {
  const { city = '', state = '' } = place ?? {}
  useEffect(() => {
    // Fills in city and state if the ZIP lookup now knows the place, for example after the visitor corrected the ZIP.
    const isEmpty = controls.every((id) => readFieldText(id) === '')
    if (isEmpty && city && state) {
      fillField(cityControl, city)
      fillField(stateControl, state)
    }
  }, [city, state])
  return (
    <>
      <p>{state ? zipPlaceHint : enterPlaceHint}</p>
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
          heading={stateMismatchQuestion(
            answers.zip,
            formatState(question.zipState),
            formatState(answers.state),
          )}
          hint={stateMismatchHint}
        />
      )}
    </>
  )
}

const { control: cityControl } = makeFieldIds('city')
const { control: stateControl } = makeFieldIds('state')
const controls = [cityControl, stateControl]

const readFieldText = (id: string): string | undefined =>
  (document.getElementById(id) as HTMLInputElement | null)?.value

const formatState = (code: string): string => `${findStateName(code)} (${code})`

export function AddressFields({ answers, errors, addressCheck, question }: StepFieldsProps) {
  // The field's content once it is a complete ZIP, so that the step neither looks up nor renders an incomplete ZIP.
  const [zip, setZip] = useState(keepCompleteZip(answers.zip))
  const found = useZipPlace(zip)
  const place = found ?? (zip === answers.zip ? findPlace(answers, addressCheck) : undefined)
  function editZip(event: SyntheticEvent<HTMLInputElement>) {
    formatInput(event)
    setZip(keepCompleteZip(event.currentTarget.value))
  }
  useEffect(() => {
    const input = document.getElementById(makeFieldIds('zip').control) as HTMLInputElement | null
    // Autofill may fire only `change`, which React does not report for a value that a script has set.
    const onChange = () => setZip(keepCompleteZip(normalizeZip(input?.value ?? '')))
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
        <ZipPlaceNote {...place} />
      </div>
      {addressCheck.by === 'hand' && (
        <PlaceFields answers={answers} errors={errors} question={question} place={place} />
      )}
    </>
  )
}

/** Shows the ZIP's city and state beside the field, so that nothing moves when they arrive. */
const ZipPlaceNote = ({ city, state }: Place) => (
  <p className={zipStyles.place} role="status">
    {city && state && `${city}, ${state}`}
  </p>
)

const keepCompleteZip = (text: string): string => (/^\d{5}$/.test(text) ? text : '')

/** Returns the city and state from the address check or, if the check failed, from the ZIP lookup. */
function findPlace(
  { city, state }: Answers,
  { by, zipState }: AddressCheckState,
): Place | undefined {
  if (by === 'check') return { city, state }
  return zipState ? { state: zipState } : undefined
}

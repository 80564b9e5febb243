import { type SyntheticEvent, useEffect, useState } from 'react'
import { placeByHandHint, addressQuestionTexts as texts } from '#content/messages.ts'
import type { CityAndState, AddressQuestion as Question } from '#domain/enquiry/address.ts'
import { normalizeZip } from '#domain/enquiry/normalize-answers.ts'
import fieldStyles from '#ui/field.module.css'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { lookUpZip } from './api-client.ts'
import type { ControlProps, Controls } from './form-state.ts'
import { fillField, formatInput } from './format-input.ts'
import styles from './question-box.module.css'
import { AnswerButton, CorrectLink, QuestionBox } from './question-box.tsx'
import zipStyles from './zip-field.module.css'

/** Looks up the city and state of a ZIP as soon as the ZIP is complete. @param zip five digits, or empty */
function useZipLookup(zip: string): CityAndState | undefined {
  const [found, setFound] = useState<{ zip: string; place: CityAndState }>()

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

const { control: unitControl } = makeFieldIds('unit')

/** @param hasButton true if the form asks only for the unit, whose field then has its own button */
const UnitField = ({ hasButton }: { hasButton: boolean }) => (
  <>
    <label className={fieldStyles.label} htmlFor={unitControl}>
      {texts.unitLabel}
    </label>
    <div className={styles.unit}>
      <input
        className={fieldStyles.input}
        id={unitControl}
        name="unit"
        autoComplete="address-line2"
      />
      {hasButton && (
        // Like Enter, the button asks again while the unit is empty.
        <AnswerButton value="ask" isFilled>
          {texts.addUnit}
        </AnswerButton>
      )}
    </div>
  </>
)

function AddressQuestion({ suggestion, asksForUnit, isStreetUnknown }: Question) {
  const asksAboutStreet = suggestion !== undefined || isStreetUnknown
  return (
    <QuestionBox
      heading={
        suggestion ? texts.suggestion(suggestion) : isStreetUnknown ? texts.unknown : texts.unit
      }
      hint={[isStreetUnknown && texts.unknownHint, asksForUnit && texts.unitHint]
        .filter(Boolean)
        .join(' ')}
    >
      {asksForUnit && <UnitField hasButton={!asksAboutStreet} />}
      <div className={styles.answers}>
        {suggestion && (
          <AnswerButton name="suggestion" value={suggestion} isFilled>
            {texts.take(suggestion)}
          </AnswerButton>
        )}
        {isStreetUnknown && (
          <CorrectLink field="address" isFilled>
            {texts.correct}
          </CorrectLink>
        )}
        {asksAboutStreet ? (
          <AnswerButton>{texts.keep}</AnswerButton>
        ) : (
          <AnswerButton value="no-unit">{texts.noUnit}</AnswerButton>
        )}
      </div>
    </QuestionBox>
  )
}

const { control: cityControl } = makeFieldIds('city')
const { control: stateControl } = makeFieldIds('state')
const placeControls = [cityControl, stateControl]

const readFieldText = (id: string): string | undefined =>
  (document.getElementById(id) as HTMLInputElement | null)?.value

/** Shows the city and state of the ZIP, or asks the visitor to enter or confirm them (reading 11). */
function ZipControl({ field, answers, addressCheck }: ControlProps) {
  // The ZIP is empty until it is complete, so that the step neither looks up nor renders an incomplete ZIP.
  const [zip, setZip] = useState(keepCompleteZip(field.value))
  const found = useZipLookup(zip)
  const isChecked = zip === field.value && addressCheck.by === 'check'
  const { city, state } = found ?? (isChecked ? answers : {})
  const isByHand = addressCheck.by === 'hand'
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
  useEffect(() => {
    // Fills in city and state once the ZIP lookup knows both, for example after the visitor corrected the ZIP.
    const isEmpty = placeControls.every((id) => readFieldText(id) === '')
    if (isByHand && isEmpty && city && state) {
      fillField(cityControl, city)
      fillField(stateControl, state)
    }
  }, [isByHand, city, state])
  return (
    <>
      <div className={zipStyles.zip}>
        <TextField
          {...field}
          inputMode="numeric"
          autoComplete="postal-code"
          onInput={editZip}
          onCompositionEnd={editZip}
        />
        {/* City and state appear beside the field, so that nothing moves when the ZIP lookup answers. */}
        <p className={zipStyles.place} role="status">
          {city && state && `${city}, ${state}`}
        </p>
      </div>
      {isByHand && <p>{placeByHandHint}</p>}
    </>
  )
}

export const addressControls: Controls<'address'> = {
  address: ({ field, question }) => (
    <>
      <TextField {...field} autoComplete="address-line1" />
      {question && <AddressQuestion {...question} />}
    </>
  ),
  zip: ZipControl,
  city: ({ field }) => <TextField {...field} autoComplete="address-level2" />,
  state: ({ field }) => (
    <TextField
      {...field}
      hint="Like FL or Florida"
      autoCapitalize="words"
      autoComplete="address-level1"
    />
  ),
}

const keepCompleteZip = (text: string): string => (/^\d{5}$/.test(text) ? text : '')

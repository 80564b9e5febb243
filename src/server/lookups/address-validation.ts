import type { Logger } from 'pino'
import * as v from 'valibot'
import type { AddressDoubt, AddressServices, AddressValidation } from '#domain/enquiry/address.ts'
import { type CallResult, parseJson } from '#server/platform/call/http-call.ts'
import { makeFailureLogs } from '#server/platform/observability/failure-log.ts'
import { choosePostalState, type GoogleSettings, type ZipPlaceLookup } from './geocoding.ts'
import {
  callLookupService,
  classifyFailure,
  type LookupFailure,
  type LookupFailureReason,
  makeLookupFailure,
} from './lookup-service.ts'

/** Google omits flags that are false. */
const flag = v.optional(v.boolean(), false)
const componentTypes = v.optional(v.array(v.string()), [])

/** Google omits the parts that it did not find. A missing or unknown part of the verdict raises no doubt. */
const validationResult = v.object({
  verdict: v.optional(
    v.object({
      possibleNextAction: v.optional(v.string()),
      hasReplacedComponents: flag,
      hasSpellCorrectedComponents: flag,
    }),
  ),
  address: v.object({
    postalAddress: v.optional(
      v.object({
        /** An ISO 3166-1 code; each US territory has its own code. */
        regionCode: v.optional(v.string(), 'US'),
        addressLines: v.optional(v.array(v.string())),
        postalCode: v.optional(v.string()),
        administrativeArea: v.optional(v.string()),
        locality: v.optional(v.string()),
      }),
      {},
    ),
    addressComponents: v.optional(
      v.array(
        v.object({
          componentType: v.optional(v.string(), ''),
          replaced: flag,
          spellCorrected: flag,
        }),
      ),
      [],
    ),
    missingComponentTypes: componentTypes,
  }),
})

type ValidationResult = v.InferOutput<typeof validationResult>

const replySchema = v.object({ result: validationResult })

const errorSchema = v.object({
  error: v.object({ details: v.array(v.object({ reason: v.optional(v.string()) })) }),
})

/** The types of the parts that a visitor types into the street field. */
const streetParts = new Set([
  'street_number',
  'route',
  'subpremise',
  'premise',
  'post_box',
  'point_of_interest',
])

/** A verdict of CONFIRM raises no doubt, because it also reports small gaps in Google's map. */
function findAddressDoubts(result: ValidationResult): readonly AddressDoubt[] {
  const { verdict, address } = result
  // If Google found no street, the address is invalid anyway.
  if (!address.postalAddress.addressLines?.length) return []
  const action = verdict?.possibleNextAction
  const doubts: AddressDoubt[] = []
  if (isStreetCorrected(result)) doubts.push('street-corrected')
  if (
    action === 'CONFIRM_ADD_SUBPREMISES' ||
    address.missingComponentTypes.includes('subpremise')
  ) {
    doubts.push('unit-missing')
  }
  if (action === 'FIX') doubts.push('street-unknown')
  return doubts
}

/** Returns whether Google corrected the street. If Google marks no part as corrected, the verdict decides. */
function isStreetCorrected({ verdict, address }: ValidationResult): boolean {
  if (!verdict?.hasReplacedComponents && !verdict?.hasSpellCorrectedComponents) return false
  const corrected = address.addressComponents.filter(
    ({ replaced, spellCorrected }) => replaced || spellCorrected,
  )
  return (
    corrected.length === 0 || corrected.some(({ componentType }) => streetParts.has(componentType))
  )
}

type ValidatedAddress = AddressValidation & { readonly kind: 'answered' }

/** Validates the address that a visitor entered. Never rejects. */
export type AddressValidator = (
  address: string,
  zip: string,
) => Promise<ValidatedAddress | LookupFailure>

export function makeAddressValidation(settings: GoogleSettings): AddressValidator {
  const { baseUrl, apiKey, ...lookup } = settings
  const url = `${baseUrl}/v1:validateAddress?alt=json&key=${encodeURIComponent(apiKey)}`
  return (address, zip) => {
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ address: { addressLines: [`${address} ${zip}`] } }),
    } as const
    return callLookupService(request, parseValidation, lookup)
  }
}

function parseValidation(answer: CallResult): ValidatedAddress | LookupFailure {
  if (answer.kind !== 'answered') return classifyFailure(answer)
  const body = parseJson(answer.body)
  if (answer.status !== 200) {
    const error = v.safeParse(errorSchema, body)
    const reasons = error.success ? error.output.error.details : []
    return classifyFailure(
      answer,
      reasons.flatMap(({ reason }) => reason ?? []),
    )
  }
  const reply = v.safeParse(replySchema, body)
  if (!reply.success) return makeLookupFailure('broken')
  const { result } = reply.output
  const { regionCode, administrativeArea, ...found } = result.address.postalAddress
  const state = choosePostalState(regionCode, administrativeArea)
  const postalAddress = { ...found, ...(state ? { administrativeArea: state } : {}) }
  return { kind: 'answered', postalAddress, doubts: findAddressDoubts(result) }
}

interface AddressServiceDependencies {
  readonly lookUpZip: ZipPlaceLookup
  readonly validateAddress: AddressValidator
  readonly log: Logger
}

/** The API's error message; `makeAddressNotice` has the text for visitors. */
export const addressServiceDownMessage = 'The address service is not available right now.'

/** The failures that only an operator can fix. */
const reasonsForOperator: ReadonlySet<LookupFailureReason> = new Set(['refused-key', 'bad-request'])

/** Makes services that reject if the third party does not answer; the visitor then enters city and state. */
export function makeAddressServices(dependencies: AddressServiceDependencies): AddressServices {
  const failureLogOf = makeFailureLogs(dependencies.log, 'lookup not answered')
  function unwrap<Answer>(service: string, found: ({ kind: 'answered' } & Answer) | LookupFailure) {
    if (found.kind === 'answered') return found
    const { reason } = found
    const level = reasonsForOperator.has(reason) ? 'error' : 'warn'
    failureLogOf(`${service} ${reason}`).failed(undefined, { service, reason }, level)
    throw new Error(addressServiceDownMessage)
  }
  return {
    lookUpZip: async (zip) => {
      const { kind: _, ...found } = unwrap('zip lookup', await dependencies.lookUpZip(zip))
      return found
    },
    validateAddress: async (address, zip) =>
      unwrap('address validation', await dependencies.validateAddress(address, zip)),
  }
}

import type { Logger } from 'pino'
import type { AddressServices } from '#domain/enquiry/address.ts'
import { makeFailureLogs } from '#server/platform/observability/failure-log.ts'
import type { AddressValidator } from './address-validation.ts'
import type { ZipPlaceLookup } from './geocoding.ts'
import type { LookupFailure, LookupFailureReason } from './lookup-service.ts'

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

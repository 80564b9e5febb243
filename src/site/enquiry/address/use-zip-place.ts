import { useEffect, useState } from 'react'
import type { ZipPlace } from '#domain/enquiry/address.ts'
import { lookUpZip } from '../../api/enquiry-api.ts'

/**
 * City and state, as soon as the ZIP is known. Whether the ZIP is right is said when Next is pressed, not before.
 * @param zip five digits; empty where there are fewer
 * @returns undefined while nothing is known of this ZIP
 */
export function useZipPlace(zip: string): ZipPlace | undefined {
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

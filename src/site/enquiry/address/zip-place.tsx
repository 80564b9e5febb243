import { useEffect, useState } from 'react'
import { lookUpZip } from '../../api/enquiry-api.ts'
import styles from './zip-place.module.css'

interface ZipPlaceProps {
  /** Five digits; empty where there are fewer. */
  zip: string
  /** What the address check has found before. */
  checked: string
}

/** City and state, as soon as the ZIP is known. Whether the ZIP is right is said when Next is pressed, not before. */
export function ZipPlace({ zip, checked }: ZipPlaceProps) {
  const [found, setFound] = useState({ zip: '', place: '' })

  useEffect(() => {
    if (zip === '') return
    let isCurrent = true
    lookUpZip(zip).then(
      ({ city, state }) => {
        if (isCurrent) setFound({ zip, place: city && state ? `${city}, ${state}` : '' })
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [zip])

  const place = found.zip === zip ? found.place : checked
  return (
    <p className={styles.place} role="status">
      {place}
    </p>
  )
}

import type { ZipPlace as Place } from '#domain/enquiry/address/address-check.ts'
import styles from './zip-place.module.css'

/** The place of the ZIP, beside its field, so that nothing moves as it comes. */
export const ZipPlace = ({ city, state }: Place) => (
  <p className={styles.place} role="status">
    {city && state && `${city}, ${state}`}
  </p>
)

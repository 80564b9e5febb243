/** How the city and state of the answers came about. */
export interface AddressCheckState {
  /** The street and ZIP that city and state belong to; empty before the first check. */
  readonly checkedFor: string
  readonly by: 'nobody' | 'check' | 'hand'
  /** The ZIP+4 that the check found, kept beside the ZIP that the visitor typed (reading 12); empty where it found none. */
  readonly zipPlus4: string
  /** The state that the ZIP lookup has for the ZIP, where the visitor enters city and state; empty where it has none. */
  readonly zipState: string
  /** The state entered that the visitor has been told is not the ZIP's; empty before. */
  readonly toldState: string
}

export const uncheckedAddress: AddressCheckState = {
  checkedFor: '',
  by: 'nobody',
  zipPlus4: '',
  zipState: '',
  toldState: '',
}

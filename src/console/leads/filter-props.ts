export interface FilterFormProps {
  /** The list’s own address. */
  action: string
  fields: readonly FilterFieldProps[]
  /** Opaque; goes on. */
  searchId?: string | undefined
  isFiltered: boolean
}

/** One part of the filter, as it is shown in the form. */
export interface FilterFieldProps {
  name: string
  label: string
  /** Empty for all. */
  value: string
  /** Of several values those after the first; undefined where one is all that there can be. */
  others?: readonly string[] | undefined
  /** What can be chosen; without them it is typed. */
  options?: readonly FilterOption[] | undefined
  /** Of what is typed, the values that say nothing by themselves. */
  known?: readonly FilterOption[] | undefined
  type?: 'date' | undefined
  /** In the typed field, what it may look like. */
  example?: string | undefined
  /** What alone may be typed, and how that is said: the browser sends nothing else off. */
  only?: { readonly pattern: string; readonly said: string } | undefined
  problem?: string | undefined
}

export interface FilterOption {
  readonly value: string
  readonly label: string
}

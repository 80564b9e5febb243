declare module 'zipcodes/lib/codes.js' {
  interface ZipEntry {
    readonly city: string
    /** Two letters; AA, AE and AP for the forces. */
    readonly state: string
  }
  export const codes: Readonly<Record<string, ZipEntry>>
}

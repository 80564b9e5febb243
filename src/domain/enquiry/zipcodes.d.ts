declare module 'zipcodes/lib/codes.js' {
  interface ZipEntry {
    readonly city: string
    /** The state's two letters; AA, AE and AP are military. */
    readonly state: string
  }
  export const codes: Readonly<Record<string, ZipEntry>>
}

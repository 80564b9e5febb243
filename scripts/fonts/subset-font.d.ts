// The part of subset-font's interface that this project uses. The published types are for version 1.
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    characters: string,
    options: {
      targetFormat: 'woff2' | 'truetype'
      variationAxes: Readonly<Record<string, number>>
      keepFeatures: readonly string[]
      noHinting: boolean
      preserveNameIds: readonly number[]
    },
  ): Promise<Uint8Array<ArrayBuffer>>
}

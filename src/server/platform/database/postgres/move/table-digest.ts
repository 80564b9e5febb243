import { createHash } from 'node:crypto'

export type Row = Readonly<Record<string, string | number | null>>

/** A checksum of a table's rows in any order: two databases sort texts differently. */
export class TableDigest {
  rows = 0
  #sum = 0n

  add(row: Row): void {
    const cells = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const hash = createHash('sha256').update(JSON.stringify(cells)).digest()
    this.rows++
    this.#sum = BigInt.asUintN(64, this.#sum + hash.readBigUInt64BE())
  }

  equals(other: TableDigest): boolean {
    return this.rows === other.rows && this.#sum === other.#sum
  }
}

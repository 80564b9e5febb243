/** Where one check's output goes. */
export interface OutputTurn {
  write(text: string | Uint8Array): void
  /** It has said everything. */
  end(): void
}

/**
 * Checks that run side by side are heard one after the other, in the order in which they began: the first as it
 * speaks, each other one from when those before it have ended.
 */
export class OutputTurns {
  readonly #out: { write(text: string | Uint8Array): unknown }
  readonly #turns: { held: (string | Uint8Array)[]; isOver: boolean }[] = []

  constructor(out: { write(text: string | Uint8Array): unknown }) {
    this.#out = out
  }

  next(): OutputTurn {
    const turn = { held: [] as (string | Uint8Array)[], isOver: false }
    this.#turns.push(turn)
    return {
      write: (text) => {
        if (this.#turns[0] === turn) this.#out.write(text)
        else turn.held.push(text)
      },
      end: () => {
        turn.isOver = true
        this.#hearThoseWhoseTurnItIs()
      },
    }
  }

  #hearThoseWhoseTurnItIs(): void {
    while (this.#turns[0]?.isOver) {
      this.#turns.shift()
      for (const text of this.#turns[0]?.held.splice(0) ?? []) this.#out.write(text)
    }
  }
}

import { type Move, movedInWords } from '#server/platform/database/store-state.ts'
import { NotDoneError } from '../not-done-error.ts'

/**
 * What a verb changes in a store whose leads have gone elsewhere changes nothing that runs, and the store that it was
 * meant for stays as it is: “done” would not be so.
 * @param place the store that the verb found
 * @param undone what the operator would otherwise take for done
 */
export function refuseMoved(place: string, move: Move | undefined, undone: string): void {
  if (move === undefined) return
  throw new NotDoneError(
    `${movedInWords(place, move)} ${undone} Set DATABASE_URL or DATA_DIR to where the leads are, as for the server; ` +
      'under systemd in /etc/campus-enquiry/store.env.',
  )
}

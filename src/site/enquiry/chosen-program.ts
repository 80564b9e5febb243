import type { Program } from '#domain/catalogue/catalogue.ts'

/** The program whose id the control, or the page's address, has; undefined where it is none of these. */
export const chosenProgram = (programs: readonly Program[], id = ''): Program | undefined =>
  programs.find((program) => String(program.id) === id)

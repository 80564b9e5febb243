// Release 0.3.0 and earlier had other names for some answers. This file lets two releases work together while an upgrade
// runs, and accepts what browser tabs opened before the upgrade send. Remove the file and its uses in the release after
// the next one. (Reading the stored leads of earlier releases stays: see src/server/leads/lead-payload.ts.)

const formerControls: Readonly<Record<string, string>> = {
  previousEducation: 'educationLevel',
  desiredProgram: 'programId',
}

/** Renames a posted form's or draft's answers. If an answer has both names, the value under today's name counts. */
export const renameFormerControls = <Value>(
  form: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> => ({
  ...Object.fromEntries(
    Object.entries(formerControls).flatMap(([former, name]) => {
      const value = form[former]
      return value === undefined ? [] : [[name, value]]
    }),
  ),
  ...form,
})

/** Renames the fields in a visit's event, such as `refused desiredProgram missing`. */
export const renameFormerFields = (event: string): string =>
  event.replace(/previousEducation|desiredProgram/g, (name) => formerControls[name] ?? name)

/** Adds the names by which the previous release reads a stored lead. */
export const addFormerNames = <
  Stored extends { readonly address: string; educationLevel: number; startDate: string },
>(
  stored: Stored,
) => ({
  ...stored,
  street: stored.address,
  educationLevelId: stored.educationLevel,
  startDateId: stored.startDate,
})

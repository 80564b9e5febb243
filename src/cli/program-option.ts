import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { catalogueFile, readCatalogue } from '#server/content/read-catalogue.ts'
import { projectFolder } from './store.ts'

/**
 * Makes the option `--program` of a dated value. It refuses a program that the catalogue lacks, because no lead would
 * ever be accepted for its amount.
 * @param value such as `payout`
 */
export const makeProgramOption = (value: string): Option =>
  new Option('--program <id>', `the only program that the ${value} is for`).argParser(
    checkProgramId,
  )

function checkProgramId(id: string): string {
  const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
  if (!catalogue.ok) return id
  const known = [...catalogue.programs, ...catalogue.notOffered]
  if (known.some((program) => `${program.id}` === id)) return id
  throw new InvalidArgumentError(`${catalogueFile} has no program with this id.`)
}

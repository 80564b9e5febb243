import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { figuresFile, inWords, type Values } from './figure.ts'

interface Figure {
  readonly name: string
  readonly values: Values
}

const jsonFile = figuresFile.replace(/l$/, '')

/**
 * Deletes an earlier run's figures before the fault tests. After the tests, shows this run's figures and keeps them as
 * JSON.
 */
export default function figuresOfARun(): () => void {
  rmSync(figuresFile, { force: true })
  rmSync(jsonFile, { force: true })
  return () => {
    const figures = readFigures()
    if (figures.length === 0) return
    writeFileSync(jsonFile, `${JSON.stringify(figures, null, 2)}\n`)
    process.stdout.write(`\n${tableOf(figures)}\n(${relative(process.cwd(), jsonFile)})\n`)
  }
}

function readFigures(): Figure[] {
  if (!existsSync(figuresFile)) return []
  const lines = readFileSync(figuresFile, 'utf8').trim().split('\n')
  return lines
    .map((line): Figure => JSON.parse(line))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function tableOf(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length))
  return figures.map(({ name, values }) => `${name.padEnd(width)}  ${inWords(values)}`).join('\n')
}

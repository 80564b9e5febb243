import { readFileSync } from 'node:fs'
import { type Copy, DockerfileParser, type Healthcheck, type Instruction } from 'dockerfile-ast'

export interface Stage {
  /** After `AS`; the last stage has none. */
  readonly name: string | undefined
  readonly steps: readonly Step[]
}

export interface Step {
  /** In upper case: `RUN`, `COPY`, … */
  readonly keyword: string
  /** All that follows but the flags, as written. */
  readonly text: string
  readonly words: readonly string[]
  /** `--from=build` as `from: 'build'`. */
  readonly flags: Readonly<Record<string, string>>
}

/** The steps of a Dockerfile, stage by stage. */
export function readDockerfile(file: string): readonly Stage[] {
  const stages: { name: string | undefined; steps: Step[] }[] = []
  for (const instruction of DockerfileParser.parse(readFileSync(file, 'utf8')).getInstructions()) {
    const step = stepOf(instruction)
    if (step.keyword === 'FROM') stages.push({ name: step.words[2], steps: [] })
    else stages.at(-1)?.steps.push(step)
  }
  return stages
}

function stepOf(instruction: Instruction): Step {
  const withFlags = instruction as Instruction & Partial<Pick<Copy | Healthcheck, 'getFlags'>>
  const flags = withFlags.getFlags?.() ?? []
  const words = instruction.getArguments().map((word) => word.getValue())
  return {
    keyword: instruction.getKeyword(),
    text: words.join(' '),
    words,
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
  }
}

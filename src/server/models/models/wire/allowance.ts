import type { Config } from '../../../platform/config/config.ts'
import { ModelError, type ModelPart } from '../port.ts'

/** Limits of one answer. Sizes are in characters. */
export type AnswerLimits = {
  /** Text, thoughts, arguments and everything else that is stored of it, together. */
  characters: number
  /** The arguments of one call. */
  argumentCharacters: number
  calls: number
  /** Milliseconds from the request to the end of the answer. */
  wholeMs: number
}

export function readAnswerLimits(config: Config): AnswerLimits {
  return {
    characters: config.ATRIUM_LIMIT_ANSWER_KB * 1024,
    argumentCharacters: config.ATRIUM_LIMIT_ARGUMENTS_KB * 1024,
    calls: config.ATRIUM_LIMIT_CALLS_PER_ANSWER,
    wholeMs: config.ATRIUM_LIMIT_ANSWER_SECONDS * 1000,
  }
}

export const defaultLimits: AnswerLimits = {
  ...{ characters: 512 * 1024, argumentCharacters: 512 * 1024, calls: 128, wholeMs: 900_000 },
}

/** The rest of the limits of one answer while it is read. Every method throws a `ModelError` once a limit is exceeded. */
export type Allowance = {
  /** Emits a part within the limit. A text is cut at the limit, emitted, and then ends the answer. */
  take: (part: ModelPart, give: (part: ModelPart) => void) => void
  /** Counts characters that are stored until the end. */
  keep: (characters: number) => void
  /** Checks the number of calls and the length of the newest call's arguments, of which `added` characters are new. */
  call: (count: number, length: number, added: number) => void
}

export function createAllowance(limits: AnswerLimits = defaultLimits): Allowance {
  const { characters, argumentCharacters, calls } = limits
  let left = characters
  const keep = (count: number) => {
    // A wire may hold any value instead of a text, which then has no length.
    left -= count || 0
    if (left < 0) throw cut(`was longer than ${sizeOf(characters)}`)
  }
  return {
    keep,
    take: (part, give) => {
      if (part.type === 'text' || part.type === 'reasoning') {
        if (part.text.length <= left) give(part)
        else if (left > 0) give({ ...part, text: part.text.slice(0, left) })
        keep(part.text.length)
      } else give(part)
    },
    call: (count, length, added) => {
      if (count > calls) throw cut(`asked for more than ${calls} calls at once`)
      if (length > argumentCharacters)
        throw cut(`had a call with more than ${sizeOf(argumentCharacters)} of arguments`)
      keep(added)
    },
  }
}

/** Returns the error for an answer that exceeds the time limit. */
export function tookTooLong({ wholeMs }: AnswerLimits): ModelError {
  return cut(`took longer than ${Math.max(1, Math.round(wholeMs / 60_000))} min`)
}

function cut(why: string): ModelError {
  return new ModelError('cut', `The answer of the model ${why} and was cut.`)
}

function sizeOf(characters: number): string {
  const kB = characters / 1024
  return kB >= 1024 ? `${Math.round(kB / 102.4) / 10} MB` : `${Math.round(kB)} kB`
}

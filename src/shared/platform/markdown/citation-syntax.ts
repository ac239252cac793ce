import type { CompileContext, Extension as MdastExtension } from 'mdast-util-from-markdown'
import type { Construct, Extension, State } from 'micromark-util-types'
import { beginsTag, readTag } from '#shared/platform/citations/citation-tags.ts'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    citation: 'citation'
  }
}

/** The syntax node of a citation marker. */
export type CitationNode = { type: 'citation'; id: string; number: number }

const LESS = 60
const kinds = [
  { opening: '<citation chunk="', closing: '</citation>', longest: 90 },
  { opening: '<websource url="', closing: '</websource>', longest: 2_500 },
]

/** Parses citation markers as indivisible tokens; in code they stay text. */
export function citationSyntax(): Extension {
  return { text: { [LESS]: citation } }
}

const citation: Construct = {
  name: 'citation',
  tokenize(effects, ok, nok): State {
    let read = ''
    let kind = kinds[0]!
    return (code) => {
      effects.enter('citation')
      return next(code)
    }
    function next(code: number | null): State | undefined {
      if (code === null || code < 0 || read.length > kind.longest) return nok(code)
      const letter = String.fromCharCode(code)
      if (read.length === 1) kind = kinds.find(({ opening }) => opening[1] === letter) ?? kind
      if (read.length < kind.opening.length && letter !== kind.opening[read.length]) return nok(code)
      read += letter
      const isEnd = letter === '>' && read.endsWith(kind.closing)
      if (isEnd && !readTag(read)) return nok(code)
      effects.consume(code)
      if (!isEnd) return next
      effects.exit('citation')
      return ok
    }
  },
}

/** Turns the tokens into `citation` nodes. */
export function citationFromMarkdown(): MdastExtension {
  return {
    enter: {
      citation(this: CompileContext, token) {
        const { id, number } = readTag(this.sliceSerialize(token))!
        this.enter({ type: 'citation', id, number } as never, token)
      },
    },
    exit: {
      citation(this: CompileContext, token) {
        this.exit(token)
      },
    },
  }
}

/** Returns a growing text without an incomplete marker at its end. */
export function holdBackCitation(text: string): string {
  const last = text.lastIndexOf('<')
  if (last < 0) return text
  // The last `<` may belong to the closing tag.
  const before = last === 0 ? -1 : text.lastIndexOf('<', last - 1)
  for (const at of [before, last]) if (at >= 0 && beginsTag(text.slice(at))) return text.slice(0, at)
  return text
}

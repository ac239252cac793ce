import type { Code, Construct, Extension, State, TokenizeContext } from 'micromark-util-types'

/** Maximum number of marks per kind in one paragraph; the parser scans to its end for some of them. */
const most: Record<string, number> = { '<': 200, '`': 200, ']': 400, '[': 400, '!': 400 }
const mostOthers = 1000
const marks = '<`]![*_~&\\$'

const counts = new WeakMap<TokenizeContext, Map<Code, number>>()

/**
 * Limits the marks of one paragraph and treats further ones as text, because the parser's time grows with the
 * square of their number.
 */
export function boundedSyntax(): Extension {
  const constructs = [...marks].map((mark) => [mark.charCodeAt(0), guard(mark, most[mark] ?? mostOthers)])
  return { text: Object.fromEntries(constructs) as Record<string, Construct> }
}

function guard(mark: string, limit: number): Construct {
  return {
    name: 'surplusMark',
    // Same rule as in the parser's own constructs for these two characters.
    previous: mark === '`' || mark === '$' ? notBehind(mark.charCodeAt(0)) : undefined,
    tokenize(effects, ok, nok): State {
      const own = counts.get(this) ?? new Map<Code, number>()
      counts.set(this, own)
      return (code) => {
        const count = (own.get(code) ?? 0) + 1
        own.set(code, count)
        if (count <= limit) return nok(code)
        effects.enter('data')
        effects.consume(code)
        return rest
      }
      function rest(code: Code): State | undefined {
        if (code !== null && code > 0 && !marks.includes(String.fromCharCode(code))) {
          effects.consume(code)
          return rest
        }
        effects.exit('data')
        return ok(code)
      }
    },
  }
}

function notBehind(mark: number) {
  return function (this: TokenizeContext, code: Code): boolean {
    return code !== mark || this.events.at(-1)?.[1].type === 'characterEscape'
  }
}

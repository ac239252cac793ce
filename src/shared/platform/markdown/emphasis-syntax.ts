import type { Code, Construct, Extension, State, TokenizeContext } from 'micromark-util-types'

/**
 * Emphasis and strikethrough in scripts without spaces. CommonMark lets a mark next to punctuation open or
 * close only at a space or more punctuation, so `**「重要」**です` stays open. This adds the rule of the
 * CJK-friendly amendments (https://github.com/tats-u/markdown-cjk-friendly): a character of such a script on
 * either side is enough. Thai, Lao, Khmer, Burmese and Tibetan are treated the same. Underscores keep their rule.
 */
export function emphasisSyntax(): Extension {
  return {
    text: {
      [asterisk]: besideScripts(asterisk, 'attention'),
      [tilde]: besideScripts(tilde, 'strikethrough'),
    },
  }
}

const asterisk = 42
const tilde = 126

const letters =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]$/u
/** Punctuation, full-width and half-width forms, and what follows an ideograph to choose its variant. */
const forms = /^[\u3001-\u30ff\u3190-\u33ff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffee]$|^[\u{e0100}-\u{e01ef}]$/u
const isSpaceless = (character: string) => letters.test(character) || forms.test(character)

const punctuation = /^[\p{P}\p{S}]$/u
const opening = /^[\p{Ps}\p{Pi}]$/u
const closing = /^[\p{Pe}\p{Pf}]$/u

/** Extends the construct `name` of the parser, which reads the marks and pairs them. */
function besideScripts(mark: number, name: string): Construct {
  const find = ({ parser }: TokenizeContext) =>
    [parser.constructs.text[mark] ?? []].flat().find((construct) => construct.name === name)!
  return {
    name: `${name}BesideScripts`,
    resolveAll: (events, context) => find(context).resolveAll!(events, context),
    tokenize(effects, ok, nok): State {
      const before = characterBefore(this)
      return find(this).tokenize.call(this, effects, (code) => ok(widen(this, before, code)), nok)
    },
  }
}

/** Lets the mark that was just read open or close more text than CommonMark does. Returns `code`. */
function widen(context: TokenizeContext, before: string, code: Code): Code {
  const after = characterAfter(context, code)
  const token = context.events.at(-1)![1]
  if (!isSpaceless(before) && !isSpaceless(after)) return code
  // Nothing opens before a closing bracket, and nothing closes after an opening one.
  if (punctuation.test(after) && !closing.test(after)) token._open = true
  if (punctuation.test(before) && !opening.test(before)) token._close = true
  return code
}

/** Returns the character before the current position without its variation selector; empty at the start of a line. */
function characterBefore(context: TokenizeContext): string {
  const end = context.now()
  if (end._bufferIndex < 1) return ''
  const start = { ...end, _bufferIndex: Math.max(0, end._bufferIndex - 4) }
  const characters = [...context.sliceSerialize({ start, end })]
  const last = characters.at(-1) ?? ''
  return /^[\ufe00-\ufe0f]$/.test(last) ? (characters.at(-2) ?? last) : last
}

/** Returns the character that starts with `code`; empty at a line end. */
function characterAfter(context: TokenizeContext, code: Code): string {
  if (code === null || code < 0) return ''
  if (code < 0xd800 || code > 0xdbff) return String.fromCharCode(code)
  const start = context.now()
  return context.sliceSerialize({ start, end: { ...start, _bufferIndex: start._bufferIndex + 2 } })
}

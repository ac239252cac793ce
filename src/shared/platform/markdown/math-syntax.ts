import type { CompileContext, Extension as MdastExtension } from 'mdast-util-from-markdown'
import type { Construct, Extension, State, Token, TokenizeContext, Tokenizer } from 'micromark-util-types'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathFlow: 'mathFlow'
    mathFlowFence: 'mathFlowFence'
    mathFlowValue: 'mathFlowValue'
    mathText: 'mathText'
    mathTextSequence: 'mathTextSequence'
    mathTextData: 'mathTextData'
  }
}

/** Environments of formulas, which models also write without delimiters around them. */
const environments = [
  ...['align', 'align*', 'aligned', 'alignat', 'alignat*', 'equation', 'equation*', 'gather', 'gather*'],
  ...['gathered', 'split', 'cases', 'array', 'matrix', 'pmatrix', 'bmatrix', 'vmatrix', 'Bmatrix', 'Vmatrix'],
]
/** Chemical formulas and units, which have their own notation. */
const commands = ['\\ce', '\\pu']

/**
 * Math in Markdown: `$$…$$`, `\[…\]`, `\(…\)`, bare environments such as `\begin{align}` and `\ce{…}` always, `$…$` only when
 * it cannot be money (see `isInlineMath`). The common extension accepts every pair of dollars and has no backslash forms.
 */
export function mathSyntax(): Extension {
  return {
    flow: {
      [dollar]: [blockMath('$$', '$$')],
      [backslash]: [blockMath('\\[', '\\]'), ...fences.map(({ open, close }) => blockMath(open, close))],
    },
    text: {
      [dollar]: [textMath('$$', '$$'), dollarMath],
      [backslash]: [
        ...[textMath('\\(', '\\)'), textMath('\\[', '\\]')],
        ...fences.map(({ open, close }) => textMath(open, close)),
        ...commands.map(commandMath),
      ],
    },
  }
}

const fences = environments.map((name) => ({ open: `\\begin{${name}}`, close: `\\end{${name}}` }))

/** Turns the tokens into `math` and `inlineMath` nodes with `value`; inline nodes also have `display`. */
export function mathFromMarkdown(): MdastExtension {
  const exitData = function (this: CompileContext, token: Token) {
    this.config.enter.data?.call(this, token)
    this.config.exit.data?.call(this, token)
  }
  const enter = (type: string) =>
    function (this: CompileContext, token: Token) {
      this.enter({ type, value: '' } as never, token)
      this.buffer()
    }
  const exit = function (this: CompileContext, token: Token) {
    const value = this.resume()
    const node = this.stack[this.stack.length - 1] as unknown as { value: string; display?: boolean }
    const source = this.sliceSerialize(token)
    const fence = fences.find(({ open }) => source.startsWith(open))
    const command = commands.find((name) => source.startsWith(`${name}{`))
    this.exit(token)
    const inner = value.replace(/^\n|\n$/g, '')
    // An environment and a command are part of the formula; other delimiters are not.
    node.value = fence ? `${fence.open}\n${inner}\n${fence.close}` : `${command ?? ''}${inner}`
    node.display = fence !== undefined || source.startsWith('$$') || source.startsWith('\\[')
  }
  return {
    enter: { mathFlow: enter('math'), mathText: enter('inlineMath') },
    exit: { mathFlow: exit, mathText: exit, mathFlowValue: exitData, mathTextData: exitData },
  }
}

/**
 * Returns true when the text between two single dollars is math: no space at the edges, no digit first
 * (unless a LaTeX character proves it), and an operator or a single letter.
 */
export function isInlineMath(content: string): boolean {
  if (/^\s|\s$|^$/.test(content)) return false
  if (/^\d/.test(content)) return /[\\^_{]/.test(content)
  return /[\\^_=+\-*/<>{}|()]/.test(content) || /^\p{L}'*$/u.test(content)
}

const dollar = 36
const backslash = 92
const openingBrace = 123
const closingBrace = 125
/** Maximum length of an inline formula in characters, so that hostile text takes linear time. */
const longestInline = 5000

/** Maximum length of a command in characters. */
const longestCommand = 400

const isEol = (code: number | null) => code !== null && code < -2
const isSpace = (code: number | null) => code === -2 || code === -1 || code === 32

/** Parses a display formula that starts on its own line; it may end on the same line. */
function blockMath(open: string, close: string): Construct {
  return { name: 'mathFlow', concrete: true, tokenize: tokenizeBlock }

  function tokenizeBlock(
    this: TokenizeContext,
    effects: Parameters<Tokenizer>[0],
    ok: State,
    nok: State,
  ): State {
    const self = this
    const closing: Construct = { partial: true, tokenize: tokenizeClosing }
    const continuation: Construct = { partial: true, tokenize: tokenizeContinuation }
    let isOneLine = false

    return (code) => {
      effects.enter('mathFlow')
      effects.enter('mathFlowFence')
      return consumeExactly(effects, open, afterOpening, nok)(code)
    }

    function afterOpening(code: number | null): State | undefined {
      if (open === '$$' && code === dollar) return nok(code)
      if (isSpace(code)) {
        effects.consume(code)
        return afterOpening
      }
      effects.exit('mathFlowFence')
      if (code === null || isEol(code)) return self.interrupt ? ok(code) : lineEnd(code)
      isOneLine = true
      return contentStart(code)
    }

    function lineEnd(code: number | null): State | undefined {
      return effects.attempt(continuation, contentStart, end)(code)
    }

    function contentStart(code: number | null): State | undefined {
      if (code === null) return isOneLine ? nok(code) : end(code)
      if (isEol(code)) return isOneLine ? nok(code) : lineEnd(code)
      return effects.attempt(closing, end, content)(code)
    }

    function content(code: number | null): State | undefined {
      effects.enter('mathFlowValue')
      effects.consume(code)
      return contentRest
    }

    function contentRest(code: number | null): State | undefined {
      if (code === null || isEol(code) || code === close.charCodeAt(0)) {
        effects.exit('mathFlowValue')
        return contentStart(code)
      }
      effects.consume(code)
      return contentRest
    }

    function end(code: number | null): State | undefined {
      effects.exit('mathFlow')
      return ok(code)
    }

    function tokenizeClosing(
      this: TokenizeContext,
      inner: Parameters<Tokenizer>[0],
      yes: State,
      no: State,
    ): State {
      return (code) => {
        inner.enter('mathFlowFence')
        return before(code)
      }
      function before(code: number | null): State | undefined {
        if (!isSpace(code)) return consumeExactly(inner, close, after, no)(code)
        inner.consume(code)
        return before
      }
      function after(code: number | null): State | undefined {
        if (isSpace(code)) {
          inner.consume(code)
          return after
        }
        if (code !== null && !isEol(code)) return no(code)
        inner.exit('mathFlowFence')
        return yes(code)
      }
    }

    function tokenizeContinuation(
      this: TokenizeContext,
      inner: Parameters<Tokenizer>[0],
      yes: State,
      no: State,
    ): State {
      return (code) => {
        if (code === null) return no(code)
        inner.enter('lineEnding')
        inner.consume(code)
        inner.exit('lineEnding')
        return (next) => (this.parser.lazy[this.now().line] ? no(next) : yes(next))
      }
    }
  }
}

/** Parses a formula between two fixed delimiters within a paragraph; it may contain line breaks, not blank lines. */
function textMath(open: string, close: string): Construct {
  return {
    name: 'mathText',
    previous: open === '$$' ? previousIsNoDollar : undefined,
    tokenize(effects, ok, nok) {
      let length = 0
      let hasContent = false
      const closing: Construct = {
        partial: true,
        tokenize: (inner, yes, no) => (code) => {
          inner.enter('mathTextSequence')
          return consumeExactly(
            inner,
            close,
            (next) => {
              inner.exit('mathTextSequence')
              return yes(next)
            },
            no,
          )(code)
        },
      }
      const opening: Construct = {
        partial: true,
        tokenize: (inner, yes, no) => (code) => {
          inner.enter('mathTextSequence')
          return consumeExactly(inner, open, yes, no)(code)
        },
      }
      const isNested = open === '$$' ? () => false : (code: number | null) => code === backslash

      return (code) => {
        effects.enter('mathText')
        effects.enter('mathTextSequence')
        return consumeExactly(
          effects,
          open,
          (next) => {
            effects.exit('mathTextSequence')
            return between(next)
          },
          nok,
        )(code)
      }

      function between(code: number | null): State | undefined {
        if (code === null || length > longestInline) return nok(code)
        if (isEol(code)) {
          effects.enter('lineEnding')
          effects.consume(code)
          effects.exit('lineEnding')
          return between
        }
        if (code !== close.charCodeAt(0)) return data(code)
        return effects.attempt(closing, end, notClosed)(code)
      }

      function notClosed(code: number | null): State | undefined {
        return isNested(code) ? effects.check(opening, nok, data)(code) : data(code)
      }

      function data(code: number | null): State | undefined {
        effects.enter('mathTextData')
        return more(code)
      }

      function more(code: number | null): State | undefined {
        length += 1
        if (code !== null && !isSpace(code) && code !== backslash && code !== dollar) hasContent = true
        effects.consume(code)
        return afterData
      }

      function afterData(code: number | null): State | undefined {
        if (code !== null && !isEol(code) && code !== close.charCodeAt(0) && length <= longestInline)
          return more(code)
        effects.exit('mathTextData')
        return between(code)
      }

      function end(code: number | null): State | undefined {
        if (!hasContent) return nok(code)
        effects.exit('mathText')
        return ok(code)
      }
    },
  }
}

/** Parses a command of a formula without delimiters around it, such as `\ce{H2O}`, on one line. */
function commandMath(command: string): Construct {
  return {
    name: 'mathText',
    tokenize(effects, ok, nok) {
      let length = 0
      let depth = 0
      return (code) => {
        effects.enter('mathText')
        effects.enter('mathTextSequence')
        return consumeExactly(effects, command, first, nok)(code)
      }
      function first(code: number | null): State | undefined {
        if (code !== openingBrace) return nok(code)
        effects.exit('mathTextSequence')
        effects.enter('mathTextData')
        return data(code)
      }
      function data(code: number | null): State | undefined {
        if (code === null || isEol(code) || length > longestCommand) return nok(code)
        length += 1
        if (code === openingBrace) depth += 1
        if (code === closingBrace) depth -= 1
        effects.consume(code)
        return depth === 0 ? end : data
      }
      function end(code: number | null): State | undefined {
        effects.exit('mathTextData')
        effects.exit('mathText')
        return ok(code)
      }
    },
  }
}

/** Parses `$x$` on one line when its content is a formula. */
const dollarMath: Construct = {
  name: 'mathText',
  previous(code) {
    return (
      previousIsNoDollar.call(this, code) &&
      !(code !== null && code > 0 && /[\p{L}\p{N}\\]/u.test(String.fromCharCode(code)))
    )
  },
  tokenize(effects, ok, nok) {
    let content = ''
    return (code) => {
      effects.enter('mathText')
      effects.enter('mathTextSequence')
      effects.consume(code)
      effects.exit('mathTextSequence')
      return first
    }
    function first(code: number | null): State | undefined {
      if (code === null || code < 0 || code === dollar) return nok(code)
      effects.enter('mathTextData')
      return data(code)
    }
    function data(code: number | null): State | undefined {
      if (code === null || code < 0 || content.length > 400) return nok(code)
      if (code === dollar && !content.endsWith('\\')) return close(code)
      content += String.fromCharCode(code)
      effects.consume(code)
      return data
    }
    function close(code: number | null): State | undefined {
      if (!isInlineMath(content)) return nok(code)
      effects.exit('mathTextData')
      effects.enter('mathTextSequence')
      effects.consume(code)
      effects.exit('mathTextSequence')
      effects.exit('mathText')
      return (next) =>
        next !== null && next > 0 && /[\p{L}\p{N}$]/u.test(String.fromCharCode(next)) ? nok(next) : ok(next)
    }
  },
}

function previousIsNoDollar(this: TokenizeContext, code: number | null): boolean {
  if (code !== dollar) return true
  const last = this.events[this.events.length - 1]
  return last !== undefined && last[1].type === 'characterEscape'
}

/** Consumes `word` character by character, then continues with `ok`; on a mismatch with `nok`. */
function consumeExactly(effects: Parameters<Tokenizer>[0], word: string, ok: State, nok: State): State {
  const at = (index: number): State => {
    if (index === word.length) return ok
    return (code) => {
      if (code !== word.charCodeAt(index)) return nok(code)
      effects.consume(code)
      return at(index + 1)
    }
  }
  return at(0)
}

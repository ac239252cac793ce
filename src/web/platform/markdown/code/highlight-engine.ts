import { createHighlighterCoreSync, type GrammarState, type ThemeRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { grammars } from './grammars.ts'
import type { CodeLine, CodeToken, TokenKind } from './highlight.ts'
import type { LanguageName } from './languages.ts'

/** Grammars and their engine; lives in a worker. */
export type HighlightEngine = {
  /** Loads a grammar; the language is available once it resolves. */
  learn(language: LanguageName): Promise<void>
  /** Compiles the patterns of a language, so that its first use does not wait for it. */
  warm(language: string): void
  /** Returns the lines of `code` that follow `state` (null at the beginning), and the state after them. */
  tokenize(
    code: string,
    language: string,
    state: GrammarState | null,
  ): { lines: CodeLine[]; state: GrammarState | null }
}

export type { GrammarState }

/** Creates an engine without languages: JavaScript regular expressions, colours by class. */
export function createEngine(): HighlightEngine {
  const shiki = createHighlighterCoreSync({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const known = new Set<string>()
  const tokenize: HighlightEngine['tokenize'] = (code, lang, state) => {
    const tokens = shiki.codeToTokensBase(code, {
      lang,
      theme: theme.name,
      tokenizeMaxLineLength: 2000,
      ...(state ? { grammarState: state } : {}),
    })
    return { lines: tokens.map(readLine), state: shiki.getLastGrammarState(tokens) ?? null }
  }
  return {
    async learn(language) {
      if (known.has(language)) return
      const grammar = await grammars[language]()
      shiki.loadLanguageSync(grammar.default)
      known.add(language)
    },
    warm: (language) => void tokenize(sample, language, null),
    tokenize,
  }
}

const sample = 'a = f(b, "c", 1) # d\n'

const colour = (kind: string) => `var(--sk-${kind})`

const theme = {
  name: 'atrium',
  type: 'light',
  fg: colour('foreground'),
  bg: 'transparent',
  settings: [
    { settings: { foreground: colour('foreground') } },
    setting('comment', ['comment', 'punctuation.definition.comment', 'string.comment']),
    setting('string', [
      'string',
      'string.quoted',
      'punctuation.definition.string',
      'markup.inserted',
      'markup.inline.raw',
    ]),
    setting('constant', [
      'constant',
      'constant.language',
      'constant.numeric',
      'support.constant',
      'variable.language',
      'markup.changed',
      'entity.other.attribute-name',
    ]),
    setting('keyword', [
      'keyword',
      'storage',
      'storage.type',
      'keyword.control',
      'markup.deleted',
      'entity.name.tag',
      'markup.heading',
    ]),
    setting('function', [
      'entity.name.function',
      'support.function',
      'entity.name.type',
      'entity.name.class',
      'support.type',
      'support.class',
      'entity.other.inherited-class',
      'markup.underline.link',
    ]),
    setting('parameter', [
      'variable.parameter',
      'variable.other.constant',
      'meta.function.parameters variable',
      'support.type.property-name',
    ]),
    setting('punctuation', ['punctuation', 'keyword.operator', 'meta.brace']),
  ],
} satisfies ThemeRegistration

function setting(kind: TokenKind, scope: string[]) {
  return { scope, settings: { foreground: colour(kind) } }
}

/** Merges pieces of the same colour; the default colour needs no element. */
function readLine(tokens: { content: string; color?: string }[]): CodeLine {
  const line: { kind: TokenKind | null; text: string }[] = []
  for (const { content, color } of tokens) {
    const kind = kindOf(color)
    const last = line[line.length - 1]
    if (last && (last.kind === kind || content.trim() === '')) last.text += content
    else line.push({ kind, text: content } satisfies CodeToken)
  }
  return line
}

function kindOf(color: string | undefined): TokenKind | null {
  const name = /--sk-(\w+)/.exec(color ?? '')?.[1]
  return name && name !== 'foreground' ? (name as TokenKind) : null
}

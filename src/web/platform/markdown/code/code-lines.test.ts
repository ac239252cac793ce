import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CodeLines } from './code-lines.ts'
import type { CodeLine, HighlightAnswer, HighlightRequest } from './highlight.ts'
import { createBlockReader } from './highlight-blocks.ts'
import { languageOf } from './languages.ts'

const code = `def f(a):
    """A text
    over lines"""
    return a * 2  # twice

print(f"{f(1)}")
`

const textOf = (lines: readonly CodeLine[]) =>
  lines.map((line) => line.map(({ text }) => text).join('')).join('\n')

let lastBlock = 0
let take: (answer: HighlightAnswer) => void = () => undefined
const read = createBlockReader((answer) => take(answer))

/** Returns the worker's answer for a text that arrives in the given pieces. */
async function stream(pieces: string[]): Promise<CodeLine[]> {
  const lines: CodeLine[] = []
  let rest: CodeLine = []
  const block = ++lastBlock
  take = (answer) => {
    lines.push(...answer.lines)
    rest = answer.rest
  }
  let text = ''
  let sent = 0
  for (const piece of pieces) {
    text += piece
    const complete = text.split('\n').slice(0, -1)
    await read({
      ...{ kind: 'lines', block, language: 'python', reset: sent === 0 },
      ...{ lines: complete.slice(sent), rest: text.split('\n').at(-1) ?? '' },
    })
    sent = complete.length
  }
  return [...lines, rest]
}

describe('code highlighting', () => {
  it('highlights every line once, with the state of the lines before it', async () => {
    const whole = await stream([code])
    expect(textOf(whole)).toBe(code)
    expect(whole[2]).toEqual([{ kind: 'string', text: '    over lines"""' }])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(code.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...new Set(cuts.sort((a, b) => a - b)), code.length]
        const pieces = at.slice(1).map((end, index) => code.slice(at[index], end))
        expect(await stream(pieces)).toEqual(whole)
      }),
      { numRuns: 25 },
    )
  })

  it('recognizes languages by alternative names', () => {
    expect(['py', 'TS', 'c++', 'shell', 'nonsense', null].map(languageOf)).toEqual([
      'python',
      'typescript',
      'cpp',
      'bash',
      null,
      null,
    ])
  })
})

describe('lines of a growing block', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('are plain first, and keep their identity while unchanged', () => {
    const lines = new CodeLines(null)
    const [first] = lines.read('a\nb')
    const again = lines.read('a\nbc\nd')
    expect(again[0]).toBe(first)
    expect(textOf(again)).toBe('a\nbc\nd')
  })

  it('start again for a different text', () => {
    const lines = new CodeLines(null)
    lines.read('a\nb\nc')
    expect(textOf(lines.read('x\ny'))).toBe('x\ny')
  })

  it('take their colours from the worker without waiting for it', async () => {
    vi.stubGlobal('Worker', InlineWorker)
    const lines = new CodeLines('python')
    const changed = new Promise<void>((resolve) => void lines.subscribe(resolve))
    expect(lines.read('return 1\nretu')[0]).toEqual([{ kind: null, text: 'return 1' }])
    lines.sync('return 1\nretu', false)
    await changed
    const shown = lines.read('return 1\nreturn')
    expect(shown[0]?.[0]).toEqual({ kind: 'keyword', text: 'return ' })
    expect(textOf(shown)).toBe('return 1\nreturn')
    lines.close()
  })
})

/** Runs the worker's code in this thread, because these tests have no workers. */
class InlineWorker {
  onmessage: ((event: { data: HighlightAnswer }) => void) | null = null
  private readonly read = createBlockReader((data) => this.onmessage?.({ data }))
  postMessage(request: HighlightRequest) {
    void this.read(request)
  }
}

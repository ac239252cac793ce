import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from './check.ts'
import { citationTag } from './citation-tags.ts'
import { languageOf } from './text-language.ts'

type Case = { passage: string; kind: string; said: string; isUnseen: boolean }

const id = '00000000-0000-4000-8000-00000000000a'

/** `P` begins a block with its passage, `T` is a true sentence about it, `W` one with an error of a kind. */
function readCases(language: string): Case[] {
  const blocks = readFileSync(`tests/citations/${language}.txt`, 'utf8').split(/^P /m).slice(1)
  return blocks.flatMap((block, at) => {
    const [passage = '', ...lines] = block.trim().split('\n')
    return lines.map((line) => {
      const kind = line.startsWith('T ') ? 'true' : (line.split(' ')[1] ?? '')
      return { passage, kind, said: line.replace(/^(?:T|W \w+) /, ''), isUnseen: at % 3 === 2 }
    })
  })
}

function isMarked({ passage, said }: Case): boolean {
  const [a, b] = [languageOf(said), languageOf(passage)]
  const answer = `${said.replace(/\.$/, '')} ${citationTag(id, 1)}.`
  return checkAnswer(answer, new Map([[id, passage]]), { wordsCount: a === null || a === b }).length > 0
}

const cases = ['en', 'fr', 'de', 'es'].flatMap(readCases)
const isRight = (one: Case) => isMarked(one) === (one.kind !== 'true')

describe.each([
  ['tuned on', cases.filter(({ isUnseen }) => !isUnseen)],
  ['unseen', cases.filter(({ isUnseen }) => isUnseen)],
])('cited sentences %s', (name, some) => {
  const truths = some.filter(({ kind }) => kind === 'true')
  const errors = some.filter(({ kind }) => kind !== 'true')

  it('are marked where an error was planted [CX-09]', () => {
    const missed = errors.filter((one) => !isRight(one))
    if (process.env.SHOW_CASES === name)
      console.log(missed.map(({ kind, said }) => `${kind}: ${said}`).join('\n'))
    expect(1 - missed.length / errors.length).toBeGreaterThanOrEqual(0.95)
  })

  it('are not marked where they are true [CX-09]', () => {
    const wrong = truths.filter((one) => !isRight(one))
    if (process.env.SHOW_CASES === name)
      console.log(
        wrong
          .map(
            (one) =>
              `${one.said} ${JSON.stringify(checkAnswer(`${one.said.replace(/\.$/, '')} ${citationTag(id, 1)}.`, new Map([[id, one.passage]])).map(({ kind, numbers }) => [kind, numbers]))}`,
          )
          .join('\n'),
      )
    expect(wrong.length / truths.length).toBeLessThanOrEqual(0.03)
  })
})

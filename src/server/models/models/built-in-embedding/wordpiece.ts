export type Tokenizer = {
  /** Returns the token numbers of a text between those of start and end; at most `most` in total. */
  encode(text: string, most: number): number[]
}

/** The model knows no longer word. */
const LETTERS_OF_A_WORD = 100
const WORDS_KEPT = 50_000

/** ASCII symbols, Unicode punctuation and Chinese characters are separate words, as in BERT. */
const ownWord =
  /[!-/:-@[-`{-~]|\p{P}|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u
const invisible = /[^\P{C}\t\n\r]|\ufffd/gu

/** Creates BERT's WordPiece tokenizer, which ignores case and accents. `vocabulary` maps each token to its number. */
export function createWordPiece(vocabulary: Record<string, number>): Tokenizer {
  const numbers = new Map(Object.entries(vocabulary))
  const special = (name: string) => {
    const number = numbers.get(name)
    if (number === undefined) throw new Error(`the vocabulary has no ${name}`)
    return number
  }
  const [unknown, start, end] = [special('[UNK]'), special('[CLS]'), special('[SEP]')]
  const known = new Map<string, number[]>()

  const piecesOf = (word: string): number[] => {
    const letters = [...word]
    if (letters.length > LETTERS_OF_A_WORD) return [unknown]
    const pieces: number[] = []
    for (let from = 0; from < letters.length; ) {
      const found = longestPiece(numbers, letters, from)
      if (!found) return [unknown]
      pieces.push(found.number)
      from = found.end
    }
    return pieces
  }
  const recall = (word: string): number[] => {
    const before = known.get(word)
    if (before) return before
    const pieces = piecesOf(word)
    if (known.size < WORDS_KEPT) known.set(word, pieces)
    return pieces
  }
  return {
    encode(text, most) {
      const tokens: number[] = []
      for (const word of wordsOf(text)) {
        tokens.push(...recall(word))
        if (tokens.length >= most - 2) break
      }
      return [start, ...tokens.slice(0, most - 2), end]
    },
  }
}

function longestPiece(numbers: Map<string, number>, letters: string[], from: number) {
  for (let end = letters.length; end > from; end--) {
    const number = numbers.get((from > 0 ? '##' : '') + letters.slice(from, end).join(''))
    if (number !== undefined) return { number, end }
  }
  return null
}

function* wordsOf(text: string): Generator<string> {
  const plain = text
    .replace(invisible, '')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
  for (const [run] of plain.matchAll(/\S+/gu)) {
    let word = ''
    for (const letter of run) {
      if (!ownWord.test(letter)) {
        word += letter
        continue
      }
      if (word) yield word
      yield letter
      word = ''
    }
    if (word) yield word
  }
}

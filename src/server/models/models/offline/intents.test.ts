import { describe, expect, it } from 'vitest'
import { findIntent } from './intents.ts'

const tools = ['document_search', 'web_search', 'text_compressor'].map((name) => ({
  ...{ name, description: '', input_schema: {} },
}))
const closed = 'when is the harbour closed'
const ferme = 'quand le port est-il fermé'

describe('a question about the user’s documents', () => {
  it.each([
    ['Search my documents for the rent', 'the rent'],
    [`Search my documents: ${closed}?`, closed],
    [`Look through our files, ${closed}?`, closed],
    [`According to the library, ${closed}?`, closed],
    [`${closed} according to my documents?`, closed],
    ['How much is the rent in our files?', 'How much is the rent'],
    ['What does the library say about the rent?', 'the rent'],
    [`Cherche dans mes documents : ${ferme} ?`, ferme],
    [`Selon mes documents, ${ferme} ?`, ferme],
    [`D’après la bibliothèque, ${ferme} ?`, ferme],
    [`${ferme} d'après mes documents ?`, ferme],
    ['Que dit la bibliothèque sur le loyer ?', 'le loyer'],
  ])('searches the documents: %s', (text, query) => {
    expect(findIntent(text, tools)).toEqual({ tool: 'document_search', input: { query } })
  })

  it('reads all documents when the question is about all of them', () => {
    const query = 'How many contracts end in 2027 in my documents?'
    expect(findIntent(query, tools)).toEqual({ tool: 'document_search', input: { query, read_all: true } })
  })

  it.each(['Search the web for the rent in Paris', 'Cherche le loyer à Paris'])(
    'searches the web when no documents are named: %s',
    (text) => {
      expect(findIntent(text, tools)?.tool).toBe('web_search')
    },
  )
})

import { describe, expect, it } from 'vitest'
import { startApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aReader } from '#tests/documents.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import { findPassages } from '../find-passages.ts'
import { chooseNamed } from './named-documents.ts'

const documents = [
  ...[
    '3M_2018_10K',
    '3M_2022_10K',
    'BESTBUY_2023_10K',
    'JOHNSON_JOHNSON_2022_10K',
    'ACTIVISIONBLIZZARD_2019_10K',
  ],
  ...['PEPSICO_2022_10K', 'PEPSICO_2023Q1_EARNINGS', 'lease-lyon-2023', 'Annual report 2022'],
].map((name) => ({ id: name, name: `${name}.pdf` }))

describe('documents named by a question', () => {
  it.each([
    ['What was the capital expenditure of 3M in FY2018?', ['3M_2018_10K']],
    ['Is 3M a capital-intensive business?', ['3M_2018_10K', '3M_2022_10K']],
    ["How did Best Buy's gross margin change?", ['BESTBUY_2023_10K']],
    ['What did Johnson & Johnson spend on research?', ['JOHNSON_JOHNSON_2022_10K']],
    ['What drove the sales of Activision in 2019?', ['ACTIVISIONBLIZZARD_2019_10K']],
    ['By how much did Pepsico raise its guidance in 2023?', ['PEPSICO_2023Q1_EARNINGS']],
    ['Quel est le loyer du lease à Lyon ?', ['lease-lyon-2023']],
    ['What does the annual report say?', []],
    ['How many employees are there?', []],
  ])('are found by their names: %s', (question, named) => {
    expect(chooseNamed(question, documents)).toEqual(named)
  })

  it('rank first in a search and leave room for others', async () => {
    const app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
    try {
      const ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app))
      const companies = ['Arvid', 'Brevik', 'Jarl']
      const ids = await Promise.all(
        companies.map(async (company) => {
          const content = `Operating revenue, in millions, was ${company.length * 111}.`
          const { body } = await ada.upload({ name: `${company}_2022_10K.txt`, content })
          const read = await ada.processed(body.id)
          expect(read.status).toBe('completed')
          return read.id
        }),
      )
      const query = 'What was the operating revenue of Jarl in 2022?'
      const signal = new AbortController().signal
      const person = { kind: 'user', ...(await readUser(app.deps, ada.user.id)) } as const
      const { hits } = await findPassages(app.deps, person, { query, scope: {} }, signal)
      expect(hits[0]?.passage.document_id).toBe(ids[2])
      expect(new Set(hits.map(({ passage }) => passage.document_id)).size).toBeGreaterThan(1)
    } finally {
      await app.close()
    }
  }, 120_000)
})

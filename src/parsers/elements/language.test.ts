import { describe, expect, it } from 'vitest'
import { languageOf } from './language.ts'

describe('languageOf', () => {
  it.each([
    ['en', 'The committee will meet on Tuesday to discuss the budget for next year.'],
    ['fr', 'Le comité se réunira mardi afin d’examiner le budget de l’année prochaine.'],
    ['de', 'Der Ausschuss tritt am Dienstag zusammen, um den Haushalt zu beraten.'],
    ['es', 'El comité se reunirá el martes para discutir el presupuesto del año que viene.'],
    [null, ''],
    [null, '12.5 % – 2024/03'],
    [null, 'OK'],
  ])('returns %s for "%s"', (language, text) => {
    expect(languageOf(text)).toBe(language)
  })

  it('returns the language of most of a text that begins with a list of names', () => {
    const names =
      'Ænglisc Aragonés Asturianu Bân-lâm-gú Català Čeština Dansk Eesti Euskara Gàidhlig Hrvatski '.repeat(50)
    const words = 'Le comité se réunira mardi afin d’examiner le budget de l’année prochaine. '.repeat(300)
    expect(languageOf(names + words)).toBe('fr')
  })

  it('detects the language of a very long text', () => {
    expect(languageOf('Nous vous prions de bien vouloir agréer nos salutations. '.repeat(50_000))).toBe('fr')
  })
})

import { describe, expect, it } from 'vitest'
import { checkAnswer, sentencesOf } from './check.ts'
import { citationTag } from './citation-tags.ts'

const a = '00000000-0000-4000-8000-00000000000a'
const b = '00000000-0000-4000-8000-00000000000b'
const [one, two] = [citationTag(a, 1), citationTag(b, 2)]
const passages = new Map([
  [a, 'The tenant pays a rent of 4,200.50 euros each month, due on 05/03/2026. Three keys were handed over.'],
  [b, 'Le bailleur restitue le dépôt de garantie de 12 600 € sous deux mois.'],
])
const doubts = (answer: string, options = {}) =>
  checkAnswer(answer, passages, options).map(({ kind, at, length, numbers }) => [
    kind,
    answer.slice(at, at + length),
    ...(numbers.length > 0 ? [numbers] : []),
  ])

describe('checkAnswer', () => {
  it.each([
    `The tenant pays a monthly rent ${one}.`,
    `The rent is 4200.5 euros ${one}.`,
    `The rent of 4 200,50 euros is due on 5 March 2026.${one}`,
    `He got 3 keys, handed over to the tenant ${one}.`,
    `Le dépôt de garantie de 12.600 € est restitué sous 2 mois ${two}.`,
    `- Rent: 4,200.50 euros each month ${one}\n- Deposit, dépôt de garantie: 12 600 ${two}`,
    'Here is what the documents say:',
    'Do you want to know more about the deposit and the keys?',
    'Yes.',
    '# Rent and deposit of the apartment\n\n```\n99 bottles of beer on the wall\n```',
  ])('accepts a supported answer: %j', (answer) => {
    expect(doubts(answer)).toEqual([])
  })

  it('doubts a sentence that its passage contradicts [CX-04]', () => {
    const wrong = `Pets are forbidden inside the whole building ${one}.`
    expect(doubts(`The tenant pays a rent ${one}. ${wrong}`)).toEqual([['unsupported', wrong]])
  })

  it('doubts a claim without a citation', () => {
    const wrong = 'Nobody may paint the walls of this apartment.'
    expect(doubts(`The tenant pays a rent ${one}. ${wrong}`)).toEqual([['uncited', wrong]])
    expect(doubts('It costs 700.')).toEqual([
      ['no_source', ''],
      ['uncited', 'It costs 700.'],
    ])
  })

  it('says at its head that it cites nothing, in any language, and marks what no passage bears out', () => {
    const wrong = 'The capital is Paris and the fee is 42 euros.'
    for (const options of [{}, { wordsCount: false }])
      expect(doubts(wrong, options)).toEqual([
        ['no_source', ''],
        ['uncited', wrong],
      ])
    expect(doubts('Paris.')).toEqual([
      ['no_source', ''],
      ['uncited', 'Paris.'],
    ])
    expect(doubts('The tenant pays a rent of 4200.50 euros.')).toEqual([['no_source', '']])
    expect(doubts('Hello! How can I help you with your lease?')).toEqual([])
  })

  it('doubts numbers and dates missing from the cited passages, in any language [CX-09]', () => {
    const wrong = `The rent is 4,300.50 euros, due each month ${one}.`
    expect(doubts(wrong)).toEqual([['numbers', wrong, ['4,300.50']]])
    const foreign = `The landlord returns 12,700 within 2 months ${two}.`
    expect(doubts(foreign, { wordsCount: false })).toEqual([['numbers', foreign, ['12,700']]])
    const late = `The rent is due on 6 March 2026 ${one}.`
    expect(doubts(late)).toEqual([['numbers', late, ['6 March 2026']]])
    const month = `Le loyer est dû le 5 avril 2026 ${one}.`
    expect(doubts(month, { wordsCount: false })).toEqual([['numbers', month, ['5 avril 2026']]])
    for (const right of ['le 5 mars 2026', 'on March 5, 2026', 'in March 2026', 'they may not'])
      expect(doubts(`Due ${right} ${one}.`, { wordsCount: false })).toEqual([])
    const other = `The tenant pays a rent of 12 600 each month ${one}.`
    expect(doubts(other)).toEqual([['numbers', other, ['12 600']]])
  })

  it.each([
    'The capital of Australia is Canberra.',
    'The notice period is 42 days.',
    'Dogs weigh about 30 kilograms on average.',
    'Die Kündigungsfrist beträgt sechs Wochen.',
    'Le contrat a été signé par Marie Curie.',
    'La capital de Francia es París.',
    'Nobody knows the name of the second tenant, but it was Mr Olsen.',
    '- The heating costs 310 euros.',
    `The landlord bought the house in 1987 ${one}.`,
    `The tenant must repaint all rooms in white ${one}.`,
    `Le bailleur offre un mois de loyer gratuit ${two}.`,
    `The rent rises by 3 % each year ${one}.`,
  ])('marks an answer that the documents do not contain: %j', (answer) => {
    expect(doubts(answer, { wordsCount: !/^(?:Die|La) /.test(answer) })).not.toEqual([])
  })

  it('splits sentences and keeps the markers after their full stops', () => {
    const answer = `First one here. ${one} Second (see p. 3) here ${two}.\n1. Third one!${one}${two}\n\n| a | b |\n|---|---|`
    expect(sentencesOf(answer).map(({ at, text }) => answer.slice(at, at + text.length))).toEqual([
      `First one here. ${one}`,
      `Second (see p. 3) here ${two}.`,
      `Third one!${one}${two}`,
      '| a | b |',
    ])
  })
})

const ANNUAL =
  'The profit of the group came to 97 million euros, against 112 million a year earlier. Its debt went from 640 to 585 million euros. Rashes occur in up to 1 of 10 patients. The lamp flashes twice when it is hot. Damages are limited to £500,000 per event. The board rejected the plan by 7 votes to 5. Open hours are between 6 p.m. and 9 p.m. The rent is 900 euros and heating 150 euros. Headaches occur in 3 of 20 patients.'
const ofAnnual = (said: string) =>
  checkAnswer(`${said} ${one}.`, new Map([[a, ANNUAL]])).flatMap(({ kind, numbers }) => [kind, ...numbers])

describe('numbers in other words', () => {
  it.each([
    [
      "Le résultat net s'établit à 97 millions d'euros, contre 112 millions un an plus tôt.",
      "Le bénéfice net recule de 112 à 97 millions d'euros",
    ],
    [
      'Häufig sind Kopfschmerzen und Schwindel (bei bis zu 1 von 10 Behandelten), selten Ausschlag (bei bis zu 1 von 1.000).',
      'Bis zu 10 % der Behandelten bekommen Kopfschmerzen oder Schwindel',
    ],
  ])('are accepted in French and German: %j [CX-09]', (passage, said) => {
    expect(checkAnswer(`${said} ${one}.`, new Map([[a, passage]]))).toEqual([])
  })

  it.each([
    'The profit of the group fell from 112 to 97 million euros',
    'The debt of the group fell by 55 million euros',
    'Rashes occur in up to 10 % of the patients',
    'Two flashes of the lamp say that it is hot',
    'Damages are limited to half a million pounds per event',
    'The board rejected the plan with seven votes against and five for it',
    'Open hours are from 18:00 to 21:00',
    'The profit of the group fell by 15 million euros',
    'Its debt is 55 million euros less',
    'The rent and heating come to 1,050 euros in total',
    'Headaches occur in 15 % of the patients',
  ])('are accepted where they follow from the passage: %j [CX-09]', (said) => {
    expect(ofAnnual(said)).toEqual([])
  })

  it.each([
    ['The debt of the group rose to 585 million euros', ['numbers', '585']],
    ['The debt of the group fell by 65 million euros', ['numbers', '65']],
    ['The debt of the group rose by 55 million euros', ['numbers', '55']],
    ['The profit of the group fell by 55 million euros', ['numbers', '55']],
    ['The debt of the group fell by 15 million euros', ['numbers', '15']],
    ['The debt of the group fell by 473 million euros', ['numbers', '473']],
    ['The debt of the group went from 585 to 640 million euros', ['numbers', '640']],
    ['The profit is 15 million euros more than a year earlier', ['numbers', '15']],
    ['The rent is 1,050 euros; the damages are £500,000 in total', ['numbers', '1,050']],
    ['Rashes occur in 15 % of the patients', ['numbers', '15']],
    ['Headaches occur in 10 % of the patients', ['numbers', '10']],
    ['Rashes occur in up to 20 % of the patients', ['numbers', '20']],
    ['Damages are limited to half a billion pounds per event', ['numbers', 'half a billion']],
    ['The board adopted the plan by 7 votes to 5', ['contradicted']],
  ])('are doubted where they do not: %j [CX-09]', (said, doubt) => {
    expect(ofAnnual(said)).toEqual(doubt)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { chooseFacts, type ToldFact } from './choose-facts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
}, 120_000)
afterAll(() => app.close())

const suppliers = [
  ...[
    'Kessler',
    'Dalkorne',
    'Brunnen',
    'Ostrava Steel',
    'Pellier',
    'Marchetti',
    'Novak',
    'Sandoval',
    'Whitby',
  ],
  ...[
    'Ferrandi',
    'Lindqvist',
    'Okafor',
    'Tanaka',
    'Bellweather',
    'Corvina',
    'Drummond',
    'Eberhart',
    'Fontaine',
  ],
  ...[
    'Gallagher',
    'Hargreave',
    'Iverson',
    'Jankovic',
    'Karlsen',
    'Lomax',
    'Mendoza',
    'Nakamura',
    'Orlov',
    'Pritchard',
  ],
  ...['Quintero', 'Rasmussen'],
]
/** Facts about each supplier, and a question in other words about each. */
const topics: { fact: (name: string, at: number) => string; question: (name: string) => string }[] = [
  {
    fact: (name, at) => `The contract with ${name} ends in ${2027 + (at % 7)}`,
    question: (name) => `Until when does our ${name} contract run?`,
  },
  {
    fact: (name, at) => `${name} gives us a discount of ${5 + at} percent`,
    question: (name) => `How much discount do we get from ${name}?`,
  },
  {
    fact: (name, at) => `Our contact at ${name} is Ms ${String.fromCharCode(65 + (at % 26))}lberta`,
    question: (name) => `Who should I contact at ${name}?`,
  },
  {
    fact: (name, at) => `${name} delivers on ${['Mondays', 'Tuesdays', 'Thursdays', 'Fridays'][at % 4]}`,
    question: (name) => `On which days does ${name} deliver?`,
  },
]
/** Facts about many other things. */
const others = Array.from({ length: 180 }, (_, at) => {
  const place = ['Lyon', 'Nantes', 'Lille', 'Rennes', 'Dijon', 'Tours', 'Metz', 'Brest', 'Nice', 'Caen'][
    at % 10
  ]
  const matter = [
    ...['roof', 'boiler', 'car park', 'canteen', 'archive', 'lift', 'lobby', 'garden', 'loading bay'],
    ...[
      'server room',
      'fire door',
      'reception',
      'printer',
      'badge reader',
      'meeting room',
      'window',
      'fence',
      'pump',
    ],
  ][Math.floor(at / 10)]
  return `The ${matter} in ${place} was renewed in ${2001 + (at % 24)}`
})
const placed = ['roof', 'boiler', 'canteen', 'archive', 'lift', 'lobby', 'garden', 'printer', 'fence', 'pump']

const facts = [...suppliers.flatMap((name, at) => topics.map(({ fact }) => fact(name, at))), ...others]

/** Eighty questions with one relevant fact, and twenty without any. */
const questions: { text: string; relevant: string | null }[] = [
  ...suppliers
    .slice(0, 17)
    .flatMap((name, at) =>
      topics.map(({ fact, question }) => ({ text: question(name), relevant: fact(name, at) })),
    ),
  ...placed.map((matter) => ({
    text: `In what year did we last replace the ${matter} at the Nantes building?`,
    relevant: others.find((fact) => fact.startsWith(`The ${matter} in Nantes`)) ?? null,
  })),
  {
    text: 'Is the window in Metz still under warranty?',
    relevant: others.find((fact) => fact.startsWith('The window in Metz')) ?? null,
  },
  {
    text: 'How old is the reception of Caen?',
    relevant: others.find((fact) => fact.startsWith('The reception in Caen')) ?? null,
  },
  ...[
    'Write a haiku about the sea.',
    'What is the capital of Australia?',
    'Explain how a transformer model works.',
    'Translate good morning to Japanese.',
    'Draft a birthday greeting for my aunt.',
    'What is 17 times 24?',
    'Give me three ideas for a team lunch.',
    'How do I sort a list in Python?',
    'Summarise the plot of Hamlet.',
    'What is the difference between VAT and sales tax?',
    'Suggest a title for a novel about astronauts.',
    'Why is the sky blue?',
    'Correct this sentence: he go to school.',
    'What does the word ubiquitous mean?',
    'Name five kinds of cheese.',
    'How many kilometres are ten miles?',
    'Tell me a joke about cats.',
    'What is photosynthesis?',
    'Recommend an exercise for a sore back.',
    'Convert 100 degrees Fahrenheit to Celsius.',
  ].map((text) => ({ text, relevant: null })),
]

it('uses at least 90 % of the relevant facts and tells at most 5 % irrelevant ones, of 300 facts and 100 questions', {
  timeout: 300_000,
}, async () => {
  expect([facts.length, new Set(facts).size, questions.length]).toEqual([300, 300, 100])
  const { models } = app.deps
  const { id: model } = await models.builtInEmbedding()
  const embedTexts = (await models.embedders())(model)
  const embed = async (texts: string[]) =>
    (await embedTexts(texts, AbortSignal.timeout(280_000))).map((vector) => ({ model, vector }))
  const [factVectors, questionVectors] = [await embed(facts), await embed(questions.map(({ text }) => text))]
  const told: ToldFact[] = facts.map((text, at) => ({
    ...{ id: String(at), text, message_id: null, isOfProject: false, at: new Date(at) },
    embedding: factVectors[at] ?? null,
  }))
  let [found, irrelevant, all, largest] = [0, 0, 0, 0]
  for (const [at, { text, relevant }] of questions.entries()) {
    const chosen = chooseFacts(told, { text, vector: questionVectors[at] ?? null, asksAboutMe: false })
    all += chosen.length
    if (relevant && chosen.some((fact) => fact.text === relevant)) found += 1
    irrelevant += chosen.filter((fact) => fact.text !== relevant).length
    const bytes = chosen.reduce((sum, fact) => sum + Buffer.byteLength(fact.text), 0)
    largest = Math.max(largest, bytes / 3)
  }
  const asked = questions.filter(({ relevant }) => relevant).length
  expect(found / asked).toBeGreaterThanOrEqual(0.9)
  expect(irrelevant / all).toBeLessThanOrEqual(0.05)
  expect(largest).toBeLessThanOrEqual(400)
})

it.each([
  ['Plan my meetings for next week', 'I work four days, not on Wednesdays'],
  ['Do I need approval for a contract of 600 k€?', 'Renewals above 500 k€ go to the committee'],
  ['What is the weather like where I am?', 'I live in Lyon'],
  ['How many locations do we have?', 'We are eight sites'],
  ['When is my child’s birthday?', 'My daughter Anna was born in May'],
  ['Write a haiku about the sea', null],
  ['What is the capital of Australia?', null],
  ['How do I sort a list in Python?', null],
])('finds a fact in other words than the question: %s', { timeout: 120_000 }, async (text, relevant) => {
  const known = [
    ...['I work four days, not on Wednesdays', 'Renewals above 500 k€ go to the committee', 'I live in Lyon'],
    ...['We are eight sites', 'My daughter Anna was born in May', 'Marseille was sold in March 2026'],
    ...['My manager is Thomas Legrand', 'I drive an electric car', 'The maintenance year begins on 1 April'],
  ]
  const { models } = app.deps
  const { id: model } = await models.builtInEmbedding()
  const [asked, ...vectors] = await (await models.embedders())(model)(
    [text, ...known],
    AbortSignal.timeout(100_000),
  )
  const told = known.map((fact, at) => ({
    ...{ id: String(at), text: fact, message_id: null, isOfProject: false, at: new Date(at) },
    embedding: { model, vector: vectors[at] ?? [] },
  }))
  const chosen = chooseFacts(told, { text, vector: { model, vector: asked ?? [] }, asksAboutMe: false })
  expect(chosen.map((fact) => fact.text)).toEqual(relevant ? [relevant] : [])
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { talk } from '#tests/built-in-talk.ts'
import { say } from './phrases.ts'
import { refusals } from './talk-phrases.ts'

const REFUSED = 'refused'
const ABOUT = 'about'

/** Replaces every refusal with `refused`. */
const shorten = (text: string) =>
  refusals.some((phrase) => [say('en', phrase), say('fr', phrase)].includes(text)) ? REFUSED : text

/** Questions, and their answers on Sunday, 22 November 2026. */
const english: [question: string, answer: string][] = [
  ['Hello', 'Hello! What can I do for you?'],
  ['Good morning!', 'Good morning! What can I do for you?'],
  ['Thanks a lot!', 'You are welcome.'],
  ['How are you?', 'All is well, thank you. What can I do for you?'],
  ['Goodbye', 'Goodbye!'],
  ['Who are you?', ABOUT],
  ['What can you do?', ABOUT],
  ['Hello! What is 21 * 2?', '21 × 2 = **42**.'],
  ['What is 1,250 * 3?', '1,250 × 3 = **3,750**.'],
  ['What is 0.1 + 0.2?', '0.1 + 0.2 = **0.3**.'],
  ['What is 1000 / 7?', '1,000 ÷ 7 ≈ **142.857142857**.'],
  ['What is 2 plus 2 times 2?', '- 2 × 2 = **4**\n- 2 + 4 = **6**'],
  ['How much is 3 x 4?', '3 × 4 = **12**.'],
  ['What is (3 + 4) * 2?', '- 3 + 4 = **7**\n- 7 × 2 = **14**'],
  ['Add 2 and 3, then multiply it by 7', '- 2 + 3 = **5**.\n- 5 × 7 = **35**.'],
  ['add two and three, then multiply it by seven', '- 2 + 3 = **5**.\n- 5 × 7 = **35**.'],
  ['What is two hundred and five minus ninety-nine?', '205 − 99 = **106**.'],
  ['3 million divided by 4', '3,000,000 ÷ 4 = **750,000**.'],
  ['What is the sum of 4, 5 and 6?', '- 4 + 5 = **9**\n- 9 + 6 = **15**'],
  ['subtract 5 from 20', '20 − 5 = **15**.'],
  ['Half of thirty', '30 ÷ 2 = **15**.'],
  ['Three quarters of 80', '- 80 × 3 = **240**\n- 240 ÷ 4 = **60**'],
  ['How much is a third of 90?', '90 ÷ 3 = **30**.'],
  ['What is 15 % of 240?', '15% of 240 = **36**.'],
  ['240 plus 15%', '240 + 15% = **276**.'],
  ['Increase 80 by 25%', '80 + 25% = **100**.'],
  ['Take 20% off 150', '150 − 20% = **120**.'],
  ['What percentage of 120 is 30?', '30 is **25%** of 120.'],
  ['What is the square root of 144?', '√144 = **12**.'],
  ['The cube root of 27', '∛27 = **3**.'],
  ['2 to the power of 16', '2¹⁶ = **65,536**.'],
  ['What is 12 squared?', '12² = **144**.'],
  ['5 km in miles', '5\u00a0km ≈ **3.10686\u00a0miles**.'],
  ['Convert 10 kg to pounds', '10\u00a0kg ≈ **22.0462\u00a0pounds**.'],
  ['How many feet are in a mile?', '1\u00a0mile = **5,280\u00a0feet**.'],
  ['What is 20 degrees Celsius in Fahrenheit?', '20\u00a0°C = **68\u00a0°F**.'],
  ['90 km/h in mph', '90\u00a0km/h ≈ **55.9234\u00a0mph**.'],
  ['2 hectares in square metres', '2\u00a0ha = **20,000\u00a0m²**.'],
  ['2 cups in ml', '2\u00a0cups = **473.176473\u00a0ml**.'],
  ['How many minutes are in 3 hours?', '3\u00a0hours = **180\u00a0minutes**.'],
  ['2 GB in MB', '2\u00a0GB = **2,000\u00a0MB**.'],
  ['3 km + 200 m', '3\u00a0km + 200\u00a0m = **3.2\u00a0km**.'],
  ['How many hours are 3 * 60 minutes?', '3 × 60\u00a0minutes = **3\u00a0hours**.'],
  [
    'How many days between 3 March 2026 and 15 April 2026?',
    'There are **43 days** between 3 March 2026 and 15 April 2026.',
  ],
  ['How many days until Christmas?', 'There are **33 days** between 22 November 2026 and 25 December 2026.'],
  [
    'How many weeks until 1 January 2027?',
    'There are **5 weeks and 5 days** between 22 November 2026 and 1 January 2027.',
  ],
  ['What day of the week was 14 July 1789?', 'That was **Tuesday, 14 July 1789**.'],
  ['What date is it in 10 days?', 'That will be **Wednesday, 2 December 2026**.'],
  ['90 days after 1 March 2026', 'That was **Saturday, 30 May 2026**.'],
  ["What's today's date?", 'Today is **Sunday, 22 November 2026** (UTC).'],
  ['What day is tomorrow?', 'That will be **Monday, 23 November 2026**.'],
  ['What time is it?', 'It is **14:05** (UTC).'],
  ['Is 2028 a leap year?', '2028 is a leap year.'],
  [
    'What is 15% of 240 and how many days until Christmas?',
    '- 15% of 240 = **36**.\n- There are **33 days** between 22 November 2026 and 25 December 2026.',
  ],
  ['What is 2 + 2? And 3 + 3?', '- 2 + 2 = **4**.\n- 3 + 3 = **6**.'],
  [
    'How many words are in this text: The quick brown fox jumps over the lazy dog.',
    'The text has **9 words**, 44 characters (36 without spaces), 1 sentence and 1 line.',
  ],
  ['Sort alphabetically: pear, apple, cherry', '- apple\n- cherry\n- pear'],
  [
    'Extract the e-mail addresses: Write to ada@example.com or grace@navy.example.org.',
    '- ada@example.com\n- grace@navy.example.org',
  ],
  ['What is the capital of France?', REFUSED],
  ['Write me a poem about the sea', REFUSED],
  ['Translate "good morning" into Spanish', REFUSED],
  ['How many words are there in English?', REFUSED],
]

const french: [question: string, answer: string][] = [
  ['Bonjour', 'Bonjour\u202f! Que puis-je faire pour vous\u202f?'],
  ['Bonsoir !', 'Bonsoir\u202f! Que puis-je faire pour vous\u202f?'],
  ['Merci beaucoup !', 'Avec plaisir.'],
  ['Comment ça va ?', 'Tout va bien, merci. Que puis-je faire pour vous\u202f?'],
  ['Au revoir', 'Au revoir\u202f!'],
  ['Bonjour, qui êtes-vous ?', ABOUT],
  ['Que sais-tu faire ?', ABOUT],
  ['Salut ! Combien font 6 fois 7 ?', '6 × 7 = **42**.'],
  ['Combien font 1 250,5 divisé par 2 ?', '1\u202f250,5 ÷ 2 = **625,25**.'],
  ['Combien font 0,1 + 0,2 ?', '0,1 + 0,2 = **0,3**.'],
  ['Combien font 1000 * 1234,5 ?', '1\u202f000 × 1\u202f234,5 = **1\u202f234\u202f500**.'],
  ['Combien font 1 / 3 ?', '1 ÷ 3 ≈ **0,333333333333**.'],
  ['Combien font (3 + 4) × 2 ?', '- 3 + 4 = **7**\n- 7 × 2 = **14**'],
  ['2+2 c’est combien ?', '2 + 2 = **4**.'],
  ['Ajoute deux et trois, puis multiplie le résultat par sept', '- 2 + 3 = **5**.\n- 5 × 7 = **35**.'],
  ['Quatre-vingt-dix-sept plus trois', '97 + 3 = **100**.'],
  ['soixante et onze fois deux', '71 × 2 = **142**.'],
  ['Deux mille trois cents moins cinquante', '2\u202f300 − 50 = **2\u202f250**.'],
  ['2,5 millions divisé par 4', '2\u202f500\u202f000 ÷ 4 = **625\u202f000**.'],
  ['La somme de 4, 5 et 6', '- 4 + 5 = **9**\n- 9 + 6 = **15**'],
  ['Soustrais 5 de 20', '20 − 5 = **15**.'],
  ['Quelle est la moitié de trente ?', '30 ÷ 2 = **15**.'],
  ['Les trois quarts de 80', '- 80 × 3 = **240**\n- 240 ÷ 4 = **60**'],
  ['Le tiers de 90', '90 ÷ 3 = **30**.'],
  ['Le double de 45', '45 × 2 = **90**.'],
  ['15 % de 240', '15\u202f% de 240 = **36**.'],
  ['Combien font dix pour cent de deux cents ?', '10\u202f% de 200 = **20**.'],
  ['240 plus 15 %', '240 + 15\u202f% = **276**.'],
  ['Augmente 240 de 15 %', '240 + 15\u202f% = **276**.'],
  ['Retire 15 % de 240', '240 − 15\u202f% = **204**.'],
  ['Quel pourcentage de 120 représente 30 ?', '30 représente **25\u202f%** de 120.'],
  ['Quelle est la racine carrée de 144 ?', '√144 = **12**.'],
  ['La racine cubique de 27', '∛27 = **3**.'],
  ['2 puissance 10', '2¹⁰ = **1\u202f024**.'],
  ['7 au carré', '7² = **49**.'],
  ['5 km en miles', '5\u00a0km ≈ **3,10686\u00a0miles**.'],
  ['Convertis 10 livres en kg', '10\u00a0livres = **4,5359237\u00a0kg**.'],
  ['Combien de mètres dans un kilomètre ?', '1\u00a0km = **1\u202f000\u00a0m**.'],
  ['100 °F en °C', '100\u00a0°F ≈ **37,7778\u00a0°C**.'],
  ['90 km/h en m/s', '90\u00a0km/h = **25\u00a0m/s**.'],
  ['1 hectare en m²', '1\u00a0ha = **10\u202f000\u00a0m²**.'],
  ['50 cl en litres', '50\u00a0cl = **0,5\u00a0L**.'],
  ['Combien de minutes dans 3 heures ?', '3\u00a0heures = **180\u00a0minutes**.'],
  ['2 Go en Mo', '2\u00a0Go = **2\u202f000\u00a0Mo**.'],
  ['3 km + 200 m', '3\u00a0km + 200\u00a0m = **3,2\u00a0km**.'],
  [
    'Combien de jours entre le 3 mars 2026 et le 15 avril 2026 ?',
    'Il y a **43 jours** entre le 3 mars 2026 et le 15 avril 2026.',
  ],
  [
    'Combien de jours jusqu’à Noël ?',
    'Il y a **33 jours** entre le 22 novembre 2026 et le 25 décembre 2026.',
  ],
  [
    'Combien de semaines jusqu’au 1er janvier 2027 ?',
    'Il y a **5 semaines et 5 jours** entre le 22 novembre 2026 et le 1er janvier 2027.',
  ],
  ['Quel jour de la semaine était le 14 juillet 1789 ?', 'C’était le **mardi 14 juillet 1789**.'],
  ['Quelle date serons-nous dans 10 jours ?', 'Ce sera le **mercredi 2 décembre 2026**.'],
  ['Quelle était la date il y a 90 jours ?', 'C’était le **lundi 24 août 2026**.'],
  ['Quel jour sommes-nous ?', 'Nous sommes le **dimanche 22 novembre 2026** (UTC).'],
  ['Quelle heure est-il ?', 'Il est **14\u00a0h\u00a005** (UTC).'],
  ['2028 est-elle une année bissextile ?', '2028 est une année bissextile.'],
  [
    'Combien font 15 % de 240 et combien de jours jusqu’à Noël ?',
    '- 15\u202f% de 240 = **36**.\n- Il y a **33 jours** entre le 22 novembre 2026 et le 25 décembre 2026.',
  ],
  [
    'Combien de mots dans ce texte : Le vif renard saute par-dessus le chien.',
    'Le texte compte **7 mots**, 40 caractères (34 sans les espaces), 1 phrase et 1 ligne.',
  ],
  ['Classe par ordre alphabétique : poire, Épinard, abricot', '- abricot\n- Épinard\n- poire'],
  [
    'Extrais les adresses e-mail : écrire à ada@example.com ou à grace@marine.example.org.',
    '- ada@example.com\n- grace@marine.example.org',
  ],
  ['Quelle est la capitale de la France ?', REFUSED],
  ['Traduis « bonjour » en anglais', REFUSED],
  ['Écris un courriel à mon chef', REFUSED],
]

const spoken = (['en', 'fr'] as const).flatMap((language) =>
  (language === 'en' ? english : french).map(([question, answer]) => ({ language, question, answer })),
)

describe('everyday questions to the built-in model', () => {
  it('include at least sixty in each language', () => {
    expect([english.length >= 60, french.length >= 60]).toEqual([true, true])
  })

  it.each(spoken)('$language $question', async ({ language, question, answer }) => {
    const expected = answer === ABOUT ? say(language, answer) : answer
    expect(shorten((await talk(question, { language })).text)).toBe(expected)
    expect(shorten((await talk(question, { language, withTools: false })).text)).toBe(expected)
  })

  it('are answered in the language of the question rather than of the interface', async () => {
    const asked = [
      ['What is 5 / 2?', 'fr', '5 ÷ 2 = **2.5**.'],
      ['Combien font 5 / 2 ?', 'en', '5 ÷ 2 = **2,5**.'],
      ['5 / 2', 'fr', '5 ÷ 2 = **2,5**.'],
      ['Who wrote this?', 'fr', say('en', 'no_facts')],
      ['Qui a écrit cela ?', 'en', say('fr', 'no_facts')],
    ] as const
    for (const [question, language, answer] of asked)
      expect((await talk(question, { language })).text).toBe(answer)
  })

  it('build on the previous answer', async () => {
    const earlier = '612,400 ÷ 41,100 ≈ **14.9**.'
    expect((await talk('Now multiply it by 10', { earlier })).text).toBe('14.9 × 10 = **149**.')
    const inFrench = { earlier: '4\u202f010 ÷ 4 = **1\u202f002,5**.', language: 'fr' } as const
    expect((await talk('Divise le résultat par 2', inFrench)).text).toBe('1\u202f002,5 ÷ 2 = **501,25**.')
    const days = 'How many days are there until 31 December, and which weekday is it?'
    expect((await talk(days)).text.split('\n').at(-1)).toBe('- That is **Thursday, 31 December 2026**.')
    // A complete sum does not refer to the previous answer.
    expect((await talk('And what is 3 + 4?', { earlier })).text).toBe('3 + 4 = **7**.')
  })
})

describe('the examples of an empty chat', () => {
  const read = (language: 'en' | 'fr') => {
    const path = new URL(`../../../../../locales/${language}/streaming_blocks.json`, import.meta.url)
    const { welcome } = JSON.parse(readFileSync(path, 'utf8')) as {
      welcome: Record<string, { text: string }>
    }
    return (name: string) => welcome[name]?.text ?? ''
  }
  const [inEnglish, inFrench] = [read('en'), read('fr')]

  it.each([
    [inEnglish('calculate'), /^612,400 ÷ 41,100 ≈ \*\*14\.900243309\*\*\.$/],
    [inFrench('calculate'), /^612\u202f400 ÷ 41\u202f100 ≈ \*\*14,900243309\*\*\.$/],
    [inEnglish('table'), /^\| Option \| Cost \| Notice \|\n\| --- \| --- \| --- \|\n(?:\|.*\|\n?){3}$/],
    [inFrench('table'), /^\| Option \| Coût \| Préavis \|\n\| --- \| --- \| --- \|\n(?:\|.*\|\n?){3}$/],
    [
      inEnglish('deadline'),
      /^- There are \*\*39 days\*\* .*\n- That is \*\*Thursday, 31 December 2026\*\*\.$/,
    ],
    [inFrench('deadline'), /^- Il y a \*\*39 jours\*\* .*\n- C’est le \*\*jeudi 31 décembre 2026\*\*\.$/],
    [inEnglish('summarise'), /^The sentences that carry the text:\n\n(?:- .+\.\n?){3}$/],
    [inFrench('summarise'), /^Les phrases qui portent le texte\u00a0:\n\n(?:- .+\.\n?){3}$/],
  ])('get an answer: %j', async (text, answer) => {
    for (const language of ['en', 'fr'] as const)
      for (const withTools of [true, false])
        expect((await talk(text, { language, withTools })).text).toMatch(answer)
  })
})

describe('a question without an answer', () => {
  it.each([
    ['5 / 0', 'Division by zero is not possible.'],
    ['Combien font 5 / 0 ?', 'Une division par zéro n’est pas possible.'],
    ['0^-1', 'Division by zero is not possible.'],
    ['What percentage of 0 is 3?', 'Division by zero is not possible.'],
    ['9^9^9', 'The result is too large to be shown.'],
    ['Combien font 9^9^9 ?', 'Le résultat est trop grand pour être affiché.'],
    ['1.0000001^99999999999', 'The result is too large to be shown.'],
    ['√-4', 'There is no real number that is this root.'],
    ['(-8)^0.5', 'There is no real number that is this root.'],
    [`${'('.repeat(10_000)}1 + 1${')'.repeat(10_000)}`, REFUSED],
    ['What is ((((2 + 3?', REFUSED],
    ['What is 2 +?', REFUSED],
    ['divide it by 4', REFUSED],
    ['What weekday is 31 February 2026?', 'There is no such day: 31 February 2026.'],
    ['Quel jour est le 31 février 2026 ?', 'Cette date n’existe pas\u00a0: 31 février 2026.'],
    ['How many days between 2026-13-45 and today?', 'There is no such day: 2026-13-45.'],
    ['In 99999999999 days, what date is it?', 'That day lies outside the calendar I count in.'],
    ['What is 5 km in kg?', 'Units of different kinds cannot be converted or added: km and kg.'],
    ['3 km + 5 kg', 'Units of different kinds cannot be converted or added: km and kg.'],
    ['3 km + 5 °C', 'Units of different kinds cannot be converted or added: km and °C.'],
    ['20 °C + 5 °C', REFUSED],
    ['What is 15% of 2 hours?', REFUSED],
    ['What is the best day for it?', REFUSED],
    ['What should I do in 3 days in Rome?', REFUSED],
    ['What sort of music is this: jazz', REFUSED],
  ])('is refused in one sentence: %j', async (question, answer) => {
    expect(shorten((await talk(question)).text)).toBe(answer)
    expect(shorten((await talk(question, { withTools: false })).text)).toBe(answer)
  })

  it.each([
    ['2^1000', 302],
    ['99999999999999999999 * 2', 21],
  ])('computes every digit of %s', async (question, digits) => {
    const result = /\*\*(.*)\*\*/.exec((await talk(question)).text)?.[1] ?? ''
    expect(result.replaceAll(',', '')).toMatch(/^\d+$/)
    expect(result.replaceAll(',', '')).toHaveLength(digits)
  })
})

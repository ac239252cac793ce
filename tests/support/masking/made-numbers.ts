/** Numbers with valid checksums. `next(n)` returns a whole number below `n`. */
export type Next = (n: number) => number

const digits = (next: Next, count: number) => Array.from({ length: count }, () => next(10)).join('')
const pick = <Item>(next: Next, items: readonly Item[]): Item => items[next(items.length)]!
const grouped = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'g'))!.join(' ')

export function makeIban(next: Next): string {
  const [country, bban] = pick(next, [
    ['DE', digits(next, 18)],
    ['FR', digits(next, 23)],
    ['GB', `NWBK${digits(next, 14)}`],
    ['ES', digits(next, 20)],
    ['NL', `INGB${digits(next, 10)}`],
  ] as const)
  const spelled = [...`${bban}${country}00`].map((one) => Number.parseInt(one, 36)).join('')
  const iban = `${country}${String(98n - (BigInt(spelled) % 97n)).padStart(2, '0')}${bban}`
  return next(2) ? grouped(iban, 4) : iban
}

export function makeCard(next: Next): string {
  const start = pick(next, [
    `4${digits(next, 14)}`,
    `5${1 + next(5)}${digits(next, 13)}`,
    `37${digits(next, 12)}`,
  ])
  const sum = [...start].reverse().reduce((all, one, at) => all + doubled(Number(one), at % 2 === 0), 0)
  const card = `${start}${(10 - (sum % 10)) % 10}`
  return card.length === 16 && next(3)
    ? pick(next, [grouped(card, 4), grouped(card, 4).replaceAll(' ', '-')])
    : card
}
const doubled = (digit: number, isDoubled: boolean) =>
  isDoubled ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit

export function makeNir(next: Next): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const parts = [
    `${1 + next(2)}`,
    two(50 + next(50)),
    two(1 + next(12)),
    two(1 + next(95)),
    digits(next, 3),
    digits(next, 3),
  ]
  const key = two(Number(97n - (BigInt(parts.join('')) % 97n)))
  return next(2) ? [...parts, key].join(' ') : `${parts.join('')}${key}`
}

export function makeTaxId(next: Next): string {
  const order = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((one) => [next(1000), one] as const)
    .sort((a, b) => a[0] - b[0])
  const nine = order.map(([, one]) => one)
  const first = [...nine, nine[next(9)]!]
  let product = 10
  for (const one of first) product = (((one + product) % 10 || 10) * 2) % 11
  const id = `${first.join('')}${(11 - product) % 10}`
  return next(2) ? `${id.slice(0, 2)} ${id.slice(2, 5)} ${id.slice(5, 8)} ${id.slice(8)}` : id
}

export const makeSsn = (next: Next) =>
  `${100 + next(560)}-${String(1 + next(99)).padStart(2, '0')}-${String(1 + next(9998)).padStart(4, '0')}`
export function makeNino(next: Next): string {
  const number =
    `${pick(next, ['AB', 'JK', 'QQ', 'SL', 'WE'])} ${grouped(digits(next, 6), 2)} ${pick(next, ['A', 'B', 'C', 'D'])}`.replace(
      'QQ',
      'PW',
    )
  return next(2) ? number : number.replaceAll(' ', '')
}
export const makePension = (next: Next) =>
  `${10 + next(80)} ${String(1 + next(28)).padStart(2, '0')}${String(1 + next(12)).padStart(2, '0')}${50 + next(50)} ${pick(next, ['M', 'K', 'S', 'B'])} ${digits(next, 3)}`
export const makePassport = (next: Next) =>
  pick(next, [
    `${digits(next, 2)}${pick(next, ['AB', 'XK', 'CF'])}${digits(next, 5)}`,
    digits(next, 9),
    `C${digits(next, 2)}X${digits(next, 5)}`,
    `L01X${digits(next, 5)}`,
  ])

export function makePhone(next: Next, language: string): string {
  const two = () => digits(next, 2)
  if (language === 'fr') {
    const rest = [two(), two(), two(), two()]
    return pick(next, [
      `0${1 + next(7)} ${rest.join(' ')}`,
      `+33 ${1 + next(7)} ${rest.join(' ')}`,
      `06.${rest.join('.')}`,
      `07${rest.join('')}`,
    ])
  }
  if (language === 'de')
    return pick(next, [
      `030 ${digits(next, 7)}`,
      `+49 89 ${digits(next, 6)}-${digits(next, 2)}`,
      `0171/${digits(next, 7)}`,
      `0151 ${digits(next, 8)}`,
      `(040) ${digits(next, 3)} ${digits(next, 4)}`,
    ])
  return pick(next, [
    `020 7${digits(next, 3)} ${digits(next, 4)}`,
    `+44 7${digits(next, 3)} ${digits(next, 6)}`,
    `(5${two()}) 5${two()}-${digits(next, 4)}`,
    `212-5${two()}-${digits(next, 4)}`,
    `07${digits(next, 3)} ${digits(next, 6)}`,
  ])
}

export function makeBirth(next: Next, language: 'en' | 'fr' | 'de'): string {
  const [day, month, year] = [1 + next(28), next(12), 1940 + next(70)]
  const name = new Intl.DateTimeFormat(language, { month: 'long' }).format(new Date(2024, month, 15))
  const two = (n: number) => String(n).padStart(2, '0')
  if (language === 'fr')
    return pick(next, [`${day} ${name} ${year}`, `${two(day)}/${two(month + 1)}/${year}`])
  if (language === 'de')
    return pick(next, [`${day}. ${name} ${year}`, `${two(day)}.${two(month + 1)}.${year}`])
  return pick(next, [
    `${day} ${name} ${year}`,
    `${name} ${day}, ${year}`,
    `${two(day)}/${two(month + 1)}/${year}`,
    `${year}-${two(month + 1)}-${two(day)}`,
  ])
}

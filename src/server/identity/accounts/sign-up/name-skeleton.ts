/**
 * Characters that look like a Latin one, by that one: the pairs of Unicode's confusables (UTS 39) that occur in names
 * of Latin, Cyrillic, Greek and Armenian. Capitals stand here where their small letter looks different.
 */
const lookalikes = {
  a: 'аɑαАΑ',
  b: 'ВΒЬƅ',
  c: 'сСᴄ',
  d: 'ԁɗ',
  e: 'еҽЕΕ',
  g: 'ɡց',
  h: 'һհНΗ',
  i: 'іıɩιɪ',
  j: 'јϳЈ',
  k: 'кκКΚ',
  l: 'I1ІΙӀӏוǀ',
  m: 'МΜ',
  n: 'пոΝ',
  o: '0оοօОΟՕ',
  p: 'рρРΡ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕЅꜱ',
  t: 'ТΤ',
  u: 'υսʋᴜ',
  v: 'ѵνᴠ',
  w: 'ԝѡᴡ',
  x: 'хχХΧ',
  y: 'уγүУΥҮ',
  z: 'ᴢΖ',
  "'": '’ʼ',
}

const plain = new Map(
  Object.entries(lookalikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
)

/**
 * What a username looks like, for telling whether two can be mistaken for each other: they can when this is the same.
 * Follows the skeleton of UTS 39 (4), with rn for m and i for l as well: a capital I is a small l. Migration 0014 says the same in SQL.
 */
export function nameSkeleton(username: string): string {
  const letters = [...username.normalize('NFKD')].map((character) => plain.get(character) ?? character)
  return letters.join('').toLowerCase().replaceAll('i', 'l').replaceAll('rn', 'm')
}

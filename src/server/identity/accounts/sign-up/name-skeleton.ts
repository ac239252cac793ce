/**
 * Characters that resemble a Latin letter, by that letter: the confusables of UTS 39 in names of Latin, Cyrillic, Greek and
 * Armenian script. Capitals are listed when their small letter looks different.
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
 * Returns the skeleton of a username. Two usernames are confusable when their skeletons are equal. Follows UTS 39 (4), plus
 * rn for m and i for l, because a capital I resembles a small l. Migration 0014 has the same rule in SQL.
 */
export function nameSkeleton(username: string): string {
  const letters = [...username.normalize('NFKD')].map((character) => plain.get(character) ?? character)
  return letters.join('').toLowerCase().replaceAll('i', 'l').replaceAll('rn', 'm')
}

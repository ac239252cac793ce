import type { IndexLanguage } from './table-spec.ts'

/** Words without a topic of their own, by language. */
const functionWords: Partial<Record<IndexLanguage, ReadonlySet<string>>> = {
  en: new Set(
    (
      'a about above across after again against all almost also although always am among an and another any anyone anything are as ' +
      'at be because been before being below between both but by can cannot could did do does doing done down during each either ' +
      'else every everyone everything few for from further had has have having he her here hers him his how however i if in into ' +
      'is it its itself just least less let like many may me might more most much must my neither no nor not of off often on once ' +
      'only or other others ought our ours out over own per perhaps please rather same shall she should since so some someone ' +
      'something still such than that the their theirs them then there these they this those though through thus to together too ' +
      'toward towards under until up upon us very was we well were what whatever when where whether which while who whoever whom ' +
      'whose why will with within without would yet you your yours'
    ).split(' '),
  ),
  fr: new Set(
    (
      'a à afin ai ainsi alors apres après as au aucun aucune aujourd auquel aura aurait aussi autre autres aux auxquels avaient ' +
      'avais avait avant avec avez avoir avons ayant bien c ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez ' +
      'combien comme comment d dans de depuis des desquels dois doit doivent donc dont du duquel elle elles en encore entre es est ' +
      'et étaient étais était étant été être eu eux fait fais faire faut hui il ils j je jusqu l la laquelle le lequel les ' +
      'lesquelles lesquels leur leurs lors lorsque lui m ma mais me même mêmes mes moi moins mon n ne ni non nos notre nous on ont ' +
      'ou où par parce pas pendant peu peut peuvent peux plus pour pourquoi pourrait puis puisque qu quand que quel quelle quelles ' +
      'quelque quelques quels qui quoi s sa sans se selon sera serait ses si son sont sous sur t ta tandis te tel telle telles tels ' +
      'tes toi ton tous tout toute toutes très tu un une vers voici voilà vos votre vous y'
    ).split(' '),
  ),
}

/** Returns the words to search for. Returns all of them if there are only function words. Abbreviations like WHO and IT are retained. */
export function withoutFunctionWords(words: readonly string[], language: IndexLanguage): readonly string[] {
  const known = functionWords[language]
  if (!known) return words
  const isLoud = words.every((word) => word === word.toUpperCase())
  const isAbbreviation = (word: string) => !isLoud && /^\p{Lu}{2,}$/u.test(word)
  const kept = words.filter((word) => isAbbreviation(word) || !known.has(word.toLowerCase()))
  return kept.length > 0 ? kept : words
}

const english = ['source', 'sources', 'passage', 'passages', 'ref', 'refs', 'excerpt', 'excerpts']
const european = [
  ...[
    'quelle',
    'quellen',
    'fuente',
    'fuentes',
    'extrait',
    'extraits',
    'fonte',
    'fontes',
    'fonti',
    'bron',
    'bronnen',
  ],
  ...[
    'källa',
    'källor',
    'kilde',
    'kilder',
    'lähde',
    'lähteet',
    'zdroj',
    'zdroje',
    'źródło',
    'źródła',
    'forrás',
  ],
  ...['sursa', 'kaynak', 'источник', 'источники', 'джерело', 'джерела', 'източник', 'πηγή', 'πηγές'],
]
const asian = [
  ...[
    'المصدر',
    'مصدر',
    'מקור',
    'स्रोत',
    '来源',
    '來源',
    '资料',
    '資料',
    '出典',
    '出处',
    '出處',
    '文献',
    '文獻',
    '源',
  ],
  ...['출처', '자료'],
]

/** Words for a source ahead of its number, in lower case. */
export const SOURCE_WORDS: readonly string[] = [...english, ...european, ...asian]
const known = new Set(SOURCE_WORDS)

/** Returns true if a word means "source", in any case. */
export const isSourceWord = (word: string): boolean => known.has(word.toLowerCase())

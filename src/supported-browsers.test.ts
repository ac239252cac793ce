import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Functions that Chrome 124, Firefox 128 or Safari 17.4 lack. */
const tooNew: Record<string, RegExp> = {
  'Array.fromAsync': /\bArray\.fromAsync\(/,
  'Error.isError': /\bError\.isError\(/,
  'Intl.DurationFormat': /\bIntl\.DurationFormat\b/,
  'Iterator.from, Iterator.concat': /\bIterator\.(from|concat|zip)\(/,
  'JSON.rawJSON': /\bJSON\.(rawJSON|isRawJSON)\(/,
  'Map.prototype.getOrInsert': /\.getOrInsert(Computed)?\(/,
  'Math.sumPrecise, Math.f16round': /\bMath\.(sumPrecise|f16round)\(/,
  'Promise.try': /\bPromise\.try\(/,
  'RegExp.escape': /\bRegExp\.escape\(/,
  'Set.prototype.isSubsetOf': /\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  Temporal: /\bTemporal\./,
  'Uint8Array.fromBase64': /\bUint8Array\.from(Base64|Hex)\(|\.setFrom(Base64|Hex)\(/,
  'URL.parse': /\bURL\.parse\(/,
  'iterator helpers':
    /(?<!Object)\.(values|keys|entries|matchAll)\([^()]*\)\s*\.(map|filter|find|some|every|toArray|take|drop|flatMap|reduce)\(/,
  "pdf.js' modern build": /from 'pdfjs-dist\/build\//,
  'requestIdleCallback without a check':
    /(?<!typeof )(?<![\w.])requestIdleCallback\((?!\w+(, \{ timeout: [A-Z_]+ \})?\))/,
}
const code = ['web', 'viewers', 'shared', 'extension', 'embed-script'].map(
  (folder) => `${folder}/**/*.{ts,tsx}`,
)
const files = globSync([...code, 'tools/**/*.tsx'], { cwd: import.meta.dirname })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .sort()

it('calls only functions that the oldest supported browsers have', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
    return Object.entries(tooNew).flatMap(([name, pattern]) =>
      pattern.test(text) ? [`${file}: ${name}`] : [],
    )
  })
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

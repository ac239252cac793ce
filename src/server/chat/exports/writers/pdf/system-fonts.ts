import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'

/** Font folders of Linux, macOS and Windows. */
const folders = [
  ...[
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(homedir(), '.local/share/fonts'),
    join(homedir(), '.fonts'),
  ],
  ...['/System/Library/Fonts', '/Library/Fonts', 'C:\\Windows\\Fonts'],
]
const MAX_FILES = 400
const MAX_FILE_BYTES = 40_000_000
/** Sans-serif families first, those of one weight before variable ones. */
const preferred = [
  /noto ?sans/i,
  /noto/i,
  /wqy|droid|nanum|unfonts|lohit|tlwg|garuda|loma|ipa/i,
  /msyh|simsun|malgun|nirmala|leelaw|pingfang|unicode/i,
]
const unfit = /bold|italic|oblique|light|thin|black|mono|color|condensed|extra|medium|semi/i

/** Fonts of this machine, opened one by one until one has the glyph. */
export type SystemFonts = { find(code: number): Font | null }

/** Opens the fonts of this machine lazily. Files that cannot be read or drawn from are skipped. */
export function systemFonts(from: readonly string[] = folders): SystemFonts {
  let files: string[] | null = null
  const opened: Font[] = []
  const openNext = (): Font[] | null => {
    files ??= from
      .flatMap((folder) => list(folder, 0))
      .sort(byPreference)
      .slice(0, MAX_FILES)
    const file = files.shift()
    if (file === undefined) return null
    const fonts = open(file)
    opened.push(...fonts)
    return fonts
  }
  return {
    find(code) {
      const has = (font: Font) => font.hasGlyphForCodePoint(code)
      let found = opened.find(has)
      while (!found) {
        const fonts = openNext()
        if (fonts === null) return null
        found = fonts.find(has)
      }
      return found
    },
  }
}

function list(folder: string, depth: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return depth < 4 ? list(path, depth + 1) : []
      return /\.(?:ttf|otf|ttc)$/i.test(entry.name) && !unfit.test(entry.name) ? [path] : []
    })
  } catch {
    return []
  }
}

function byPreference(a: string, b: string): number {
  const rank = (path: string) =>
    (preferred.findIndex((family) => family.test(path)) + preferred.length + 1) % (preferred.length + 1)
  return rank(a) - rank(b) || a.localeCompare(b)
}

function open(file: string): Font[] {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) return []
    const found = create(readFileSync(file))
    // One font of a collection is enough: its others differ in details of the same letters.
    const fonts = 'fonts' in found ? found.fonts.slice(0, 1) : [found]
    // Colour fonts have no outlines that can be embedded.
    return fonts.filter(({ directory }) => 'glyf' in directory.tables || 'CFF ' in directory.tables)
  } catch {
    return []
  }
}

import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('./web/', import.meta.url).pathname
const read = (file: string) => readFileSync(root + file, 'utf8')
const tokens = read('styles-tokens.css')
const styles = read('styles.css')

describe('styles', () => {
  it('fades views out in 300 ms [SH-18]', () => {
    expect(tokens).toContain('--d-view: 300ms')
    const both = /::view-transition-old\(view\),\s*::view-transition-new\(view\) \{([^}]*)\}/.exec(styles)
    expect(both?.[1]).toContain('animation-duration: var(--d-view);')
    expect(styles).toMatch(/::view-transition-old\(view\) \{\s*animation-name: view-out;/)
    expect(styles).toMatch(/::view-transition-new\(view\) \{\s*animation-name: view-in;/)
    const ways = ['forward', 'back', 'rise', 'sink'].map(
      (kind) => new RegExp(`transition-type\\(view-${kind}\\) \\{([^}]*)\\}`).exec(styles)?.[1],
    )
    expect(new Set(ways).size).toBe(4)
    expect(ways).not.toContain(undefined)
  })

  it('makes both sidebars 300 px wide [SH-04, SH-09]', () => {
    expect(tokens).toContain('--w-sidebar: 300px')
    expect(tokens).toContain('--w-panel: 300px')
  })

  it('gives each of the ten kinds of elements its own colour in both themes [PD-08]', () => {
    const kinds = [
      ...['title', 'narrativetext', 'listitem', 'table', 'header', 'paragraph', 'figure'],
      ...['formula', 'codesnippet', 'uncategorizedtext'],
    ]
    const boxes = read('../viewers/page/page.css')
    for (const kind of kinds.slice(0, -1))
      expect(boxes).toMatch(new RegExp(`\\[data-kind="${kind}"\\][^{]*\\{\\s*--kind: var\\(--el-${kind}\\);`))
    expect(boxes).toMatch(/\.element-box,\s*\.element-tip \{\s*--kind: var\(--el-uncategorizedtext\);/)
    // The kind determines hue and chroma, the theme determines lightness.
    const colours = kinds.map(
      (kind) => new RegExp(`--el-${kind}: oklch\\(var\\(--el-l\\) (.+)\\);`).exec(tokens)?.[1]?.split(';')[0],
    )
    expect(colours).not.toContain(undefined)
    expect(new Set(colours).size).toBe(10)
    const themes = tokens.split(/\[data-theme="(?:light|dark)"\] \{/).slice(1, 3)
    expect(themes.map((theme) => /--el-l: ([\d.]+);/.exec(theme)?.[1])).toEqual(['0.53', '0.76'])
  })

  it('turns off animation for people who prefer reduced motion', () => {
    const reduced = tokens.slice(tokens.indexOf('prefers-reduced-motion'))
    for (const duration of ['hover', 'pop', 'panel', 'view', 'delete']) {
      expect(reduced).toMatch(new RegExp(`--d-${duration}: 0?\\.01ms`))
    }
  })

  it('states the thickness of underlines apart, because Safari drops a shorthand with one', () => {
    const files = [...globSync('**/*.css', { cwd: root }), ...globSync('../viewers/**/*.css', { cwd: root })]
    const wrong = files.filter((file) => /text-decoration:[^;]*\d(?:px|em|rem|%)/.test(read(file)))
    expect(files.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  })

  it('marks the current entry of the sidebar in forced colours', () => {
    expect(styles).toMatch(/@media \(forced-colors: active\) \{\s*\[aria-current="page"\] \{/)
  })

  it('uses raw colours only in the tokens', () => {
    const files = globSync('**/*.{tsx,css}', { cwd: root }).filter(
      (file) => !/styles-tokens\.css$|\.test\.tsx$/.test(file),
    )
    const raw = files.filter((file) =>
      /oklch\(|rgba?\(|hsla?\(|['"\s:]#[0-9a-f]{3,8}\b['";\s]/i.test(read(file)),
    )
    expect(files.length).toBeGreaterThan(50)
    expect(raw).toEqual([])
  })
})

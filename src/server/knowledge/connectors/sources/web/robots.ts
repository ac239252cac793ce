/** A rule of a robots.txt. */
type Rule = { allows: boolean; path: string }

/**
 * Parses a robots.txt (RFC 9309). Returns whether a path with its query may be fetched: the longest rule for our name decides, otherwise
 * that for everyone.
 */
export function readRobots(text: string, agent: string): (path: string) => boolean {
  const groups = new Map<string, Rule[]>()
  let names: string[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/).slice(0, 20_000)) {
    const [, field = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const key = field.toLowerCase()
    if (key === 'user-agent') {
      names = isNaming ? [...names, value.toLowerCase()] : [value.toLowerCase()]
      isNaming = true
      for (const name of names) if (!groups.has(name)) groups.set(name, [])
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      if (value !== '')
        for (const name of names) groups.get(name)?.push({ allows: key === 'allow', path: value })
    }
  }
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? []
  return (path) => {
    const fitting = rules.filter((rule) => fits(path, rule.path))
    const length = Math.max(0, ...fitting.map(({ path }) => path.length))
    const longest = fitting.filter(({ path }) => path.length === length)
    return longest.length === 0 || longest.some(({ allows }) => allows)
  }
}

/** Compares a path with a pattern, in which `*` is any text and `$` the end. It takes linear time per star. */
function fits(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...others] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of others.entries()) {
    if (isWhole && index === others.length - 1) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isWhole || others.length > 0 || at === path.length
}

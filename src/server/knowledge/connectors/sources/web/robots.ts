/** A rule of a robots.txt. */
type Rule = { allows: boolean; length: number; fits: (path: string) => boolean }

/**
 * Parses a robots.txt (RFC 9309). Returns whether a path with its query may be fetched: the longest rule for our name decides, otherwise
 * that for everyone.
 */
export function readRobots(text: string, agent: string): (path: string) => boolean {
  const groups = new Map<string, Rule[]>()
  let names: string[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/).slice(0, 20_000)) {
    const [field = '', ...rest] = (line.split('#', 1)[0] ?? '').split(':')
    const [key, value] = [field.trim().toLowerCase(), rest.join(':').trim()]
    if (key === 'user-agent') {
      names = isNaming ? [...names, value.toLowerCase()] : [value.toLowerCase()]
      isNaming = true
      for (const name of names) if (!groups.has(name)) groups.set(name, [])
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      if (value === '') continue
      const rule = { allows: key === 'allow', length: value.length, fits: readPattern(value) }
      for (const name of names) groups.get(name)?.push(rule)
    }
  }
  const rules = groups.get(agent.toLowerCase()) ?? groups.get('*') ?? []
  // The longest first, and of equally long ones those that allow.
  const sorted = rules.toSorted((a, b) => b.length - a.length || Number(b.allows) - Number(a.allows))
  return (path) => sorted.find(({ fits }) => fits(path))?.allows ?? true
}

/** Parses a pattern, in which `*` is any text and `$` the end. Comparing takes linear time per star. */
function readPattern(pattern: string): (path: string) => boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const others = parts.filter((part, index) => part !== '' || index === parts.length - 1)
  return (path) => {
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const [index, part] of others.entries()) {
      if (isWhole && index === others.length - 1)
        return path.length - part.length >= at && path.endsWith(part)
      const found = path.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return !isWhole || others.length > 0 || at === path.length
  }
}

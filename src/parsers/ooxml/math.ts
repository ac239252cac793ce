import { childOf, childrenOf, elementsOf, textOf, type XmlNode } from '../xml/read-xml.ts'
import { texSigns } from './tex-signs.ts'

/** A formula of Office (OMML) as TeX. Parts without a counterpart become their text. */
export function texOf(node: XmlNode): string {
  return elementsOf(node).map(pieceOf).join('').replace(/ {2,}/g, ' ').trim()
}

const functions =
  /^(sin|cos|tan|cot|sec|csc|log|ln|lim|max|min|exp|det|dim|ker|gcd|sup|inf|sinh|cosh|tanh|arcsin|arccos|arctan)$/
const accents: Record<string, string> = {
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u20d7': 'vec',
  '\u030c': 'check',
}
const operators: Record<string, string> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∫': '\\int',
  '∬': '\\iint',
  '∭': '\\iiint',
  '∮': '\\oint',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
}
const brackets: Record<string, string> = {
  '{': '\\{',
  '}': '\\}',
  '〈': '\\langle',
  '〉': '\\rangle',
  '⟨': '\\langle',
  '⟩': '\\rangle',
  '‖': '\\|',
  '⌊': '\\lfloor',
  '⌋': '\\rfloor',
  '⌈': '\\lceil',
  '⌉': '\\rceil',
}

function pieceOf(node: XmlNode): string {
  const part = (name: string) => texOf(childOf(node, name) ?? { name, attributes: {}, children: [] })
  const set = (name: string, property: string) =>
    childOf(node, `${node.name}Pr`, name)?.attributes['m:val'] ?? property
  const base = part('m:e')
  switch (node.name) {
    case 'm:r':
      return runOf(node)
    case 'm:f':
      if (set('m:type', '') === 'lin') return `${part('m:num')}/${part('m:den')}`
      if (set('m:type', '') === 'noBar') return `\\genfrac{}{}{0pt}{}{${part('m:num')}}{${part('m:den')}}`
      return `\\frac{${part('m:num')}}{${part('m:den')}}`
    case 'm:sSup':
      return `${base}^{${part('m:sup')}}`
    case 'm:sSub':
      return `${base}_{${part('m:sub')}}`
    case 'm:sSubSup':
      return `${base}_{${part('m:sub')}}^{${part('m:sup')}}`
    case 'm:sPre':
      return `{}_{${part('m:sub')}}^{${part('m:sup')}}${base}`
    case 'm:rad':
      return part('m:deg') ? `\\sqrt[${part('m:deg')}]{${base}}` : `\\sqrt{${base}}`
    case 'm:nary':
      return `${operators[set('m:chr', '∫')] ?? set('m:chr', '∫')}${limit('_', part('m:sub'))}${limit('^', part('m:sup'))}${base}`
    case 'm:d': {
      const inner = childrenOf(node, 'm:e').map(texOf).join(set('m:sepChr', '|'))
      const [open, close] = [set('m:begChr', '('), set('m:endChr', ')')]
      return `\\left${brackets[open] ?? (open || '.')}${inner}\\right${brackets[close] ?? (close || '.')}`
    }
    case 'm:func': {
      const name = part('m:fName')
      return `${functions.test(name) ? `\\${name}` : name}${/^\\left/.test(base) || !functions.test(name) ? base : `(${base})`}`
    }
    case 'm:limLow':
      return `${functions.test(base) ? `\\${base}` : base}_{${part('m:lim')}}`
    case 'm:limUpp':
      return `\\overset{${part('m:lim')}}{${base}}`
    case 'm:acc':
      return `\\${accents[set('m:chr', '\u0302')] ?? 'hat'}{${base}}`
    case 'm:bar':
      return set('m:pos', 'bot') === 'top' ? `\\overline{${base}}` : `\\underline{${base}}`
    case 'm:m':
      return `\\begin{matrix}${childrenOf(node, 'm:mr')
        .map((row) => childrenOf(row, 'm:e').map(texOf).join(' & '))
        .join(' \\\\ ')}\\end{matrix}`
    case 'm:eqArr':
      return `\\begin{aligned}${childrenOf(node, 'm:e').map(texOf).join(' \\\\ ')}\\end{aligned}`
    default:
      return /Pr$/.test(node.name) ? '' : texOf(node)
  }
}

const limit = (sign: string, text: string) => (text ? `${sign}{${text}}` : '')

function runOf(run: XmlNode): string {
  const text = childrenOf(run, 'm:t').map(textOf).join('')
  const isWords = childOf(run, 'm:rPr', 'm:nor') !== undefined
  if (isWords && /\p{L}{2,}/u.test(text)) return `\\text{${text}}`
  return [...text.normalize('NFKC')].map((sign) => texSigns[sign] ?? escaped(sign)).join('')
}

const escaped = (sign: string) => (/[#$%&_{}]/.test(sign) ? `\\${sign}` : sign)

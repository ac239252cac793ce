import { localName } from './local.ts'
import type { XmlNode } from './read-xml.ts'

const names = {
  section: `sec section sect1 sect2 sect3 sect4 sect5 simplesect refsect1 refsect2 refsect3 refentry part chapter appendix app
    preface abstract trans-abstract ack acknowledgements dedication glossary glossdiv bibliography ref-list div div0 div1 div2 div3
    div4 div5 div6 div7 topic concept task reference sub-article response boxed-text sidebar`,
  title: 'title head heading article-title bridgehead',
  paragraph: `p para simpara formalpara ab l subtitle shortdesc cmd attrib caption verse-line copyright-statement`,
  quotation: 'blockquote disp-quote lq epigraph verse-group lg tip warning caution important',
  bullets: `itemizedlist simplelist ul sl choices list orderedlist ol steps procedure substeps`,
  item: 'list-item listitem item li step substep member sli choice',
  definitions: 'def-list variablelist dl glosslist parml',
  term: 'term dt pt glossterm',
  definition: 'def dd pd glossdef',
  note: 'note footnote fn',
  figure: 'table-wrap fig figure example',
  code: 'programlisting screen codeblock preformat literallayout synopsis eg pre msgblock',
  formula: 'tex-math math',
  display: 'disp-formula equation informalequation',
  bold: 'bold b strong uicontrol guibutton guilabel',
  italic: 'italic i em emphasis emph hi citetitle',
  typewriter: 'monospace literal filename command codeph filepath varname constant userinput tt code',
  link: 'ext-link ulink uri link xref ref-link a ptr email',
  line: 'break lb br',
  frame: 'front body back text article book conbody taskbody refbody floats-group app-group group',
  dropped: `journal-meta history permissions processing-meta prolog indexterm index remark script style graphic inline-graphic media
    imageobject imagedata object-id metadata revhistory annotation annotation-xml`,
} as const
type Role = keyof typeof names

const roles = new Map(
  Object.entries(names).flatMap(([role, list]) =>
    list.split(/\s+/).map((name): [string, Role] => [name, role as Role]),
  ),
)

/** The role of an element of JATS, DocBook, TEI, DITA and similar formats; null for all others. */
export const roleOf = (name: string): Role | null => roles.get(name) ?? null

const usual: Record<string, { en: string; fr: string }> = {
  abstract: { en: 'Abstract', fr: 'Résumé' },
  'ref-list': { en: 'References', fr: 'Références' },
  ack: { en: 'Acknowledgements', fr: 'Remerciements' },
}

/** The heading of a standard section without one in the file, in the language of the text; empty for all others. */
export function usualTitle(section: XmlNode, language: string): string {
  return usual[localName(section)]?.[language.startsWith('fr') ? 'fr' : 'en'] ?? ''
}

/** Whether XML is a text: it has paragraphs and is not a news feed or data. */
export function isText(root: XmlNode): boolean {
  return !/^(rss|feed|rdf)$/.test(localName(root)) && hasParagraph(root)
}

function hasParagraph(node: XmlNode): boolean {
  return node.children.some(
    (child) =>
      typeof child !== 'string' &&
      (/^(p|para|simpara|ab|programlisting)$/.test(localName(child)) || hasParagraph(child)),
  )
}

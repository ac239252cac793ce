import type { XmlNode } from '../xml/read-xml.ts'
import type { Zip } from '../zip/open-zip.ts'

/** The target of a relation: another part by its name in the package, or an external address. */
export type Relation = { type: string; target: string; isExternal: boolean }
export type Package = {
  zip: Zip
  /** The main part of the package. */
  main: string
  part(name: string): Promise<XmlNode | null>
  relations(part: string): Promise<Map<string, Relation>>
  /** The parts a part refers to with a relation type, by the end of the type's address: `slide`. */
  related(part: string, type: string): Promise<string[]>
}

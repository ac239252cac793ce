import { posix } from 'node:path'
import { type Element, type Job, type Parse, Unreadable } from '../elements/port.ts'
import { childOf, childrenOf, readXml, textOf } from '../xml/read-xml.ts'
import { openZip } from '../zip/open-zip.ts'
import { compareLetters } from './compare-letters.ts'
import { attachEmbedded } from './embedded-files.ts'
import type { Package } from './package.ts'

/** A reader of Office Open XML files (ECMA-376 part 2): opens them, adds their title and author, reads and closes them. */
export function packageReader(read: (job: Job, file: Package) => Promise<void>): Parse {
  return async (job) => {
    const file = await openPackage(job)
    try {
      await describePackage(file, job)
      const elements: Element[] = []
      const add = (element: Element) => {
        elements.push(element)
        job.add(element)
      }
      await read({ ...job, add }, file)
      await attachEmbedded(job, file)
      await compareLetters(job, file, elements)
    } finally {
      file.zip.close()
    }
  }
}

async function openPackage(job: Job): Promise<Package> {
  const zip = await openZip(job)
  const part = async (name: string) => {
    const bytes = await zip.read(name)
    return bytes && readXml(bytes)
  }
  const relations = async (name: string) => {
    const folder = posix.dirname(name)
    const root = await part(posix.join(folder, '_rels', `${posix.basename(name)}.rels`))
    return new Map(
      childrenOf(root, 'Relationship').map(
        ({ attributes: { Id = '', Type = '', Target = '', TargetMode } }) => {
          const isExternal = TargetMode === 'External'
          const target = isExternal ? Target : resolve(folder, Target)
          return [Id, { type: Type.split('/').at(-1) ?? '', target, isExternal }]
        },
      ),
    )
  }
  const related = async (name: string, type: string) => {
    const all = [...(await relations(name)).values()]
    return all.filter((one) => one.type === type && !one.isExternal).map(({ target }) => target)
  }
  const [main] = await related('', 'officeDocument')
  if (!main || !zip.has(main)) {
    zip.close()
    throw new Unreadable('damaged', {}, { cause: new Error('no main part') })
  }
  return { zip, main, part, relations, related }
}

/** The title and author from the properties of the file. */
async function describePackage(file: Package, job: Job): Promise<void> {
  const [core] = await file.related('', 'core-properties')
  const root = core ? await file.part(core).catch(() => null) : null
  const facts = {
    title: textOf(childOf(root, 'dc:title')).trim(),
    author: textOf(childOf(root, 'dc:creator')).trim(),
  }
  job.describe(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== '')))
}

function resolve(folder: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
  return path.replace(/^(\.\.\/)+/, '')
}

import * as z from 'zod'
import { ItemRefused, type SourceItem } from '../../define-connector.ts'
import { type Library, partOf } from './graph-drives.ts'
import type { Graph } from './graph-requests.ts'
import { readersOf } from './graph-rights.ts'

/** Deepest folder. A path of SharePoint has at most 400 characters. */
const MAX_DEPTH = 200

const Person = z.object({ user: z.object({ displayName: z.string().optional() }).optional() }).optional()

export const GraphItem = z.object({
  id: z.string(),
  /** Missing for some deleted items. */
  name: z.string().default(''),
  size: z.number().optional(),
  eTag: z.string().optional(),
  webUrl: z.string().optional(),
  createdDateTime: z.string().optional(),
  lastModifiedDateTime: z.string().optional(),
  createdBy: Person,
  parentReference: z.object({ id: z.string().optional(), path: z.string().optional() }).optional(),
  file: z
    .object({
      hashes: z.object({ quickXorHash: z.string().optional(), sha256Hash: z.string().optional() }).optional(),
    })
    .optional(),
  folder: z.object({}).optional(),
  root: z.object({}).optional(),
  deleted: z.object({}).optional(),
})
export type GraphItem = z.infer<typeof GraphItem>

export const ITEM_FIELDS =
  'id,name,size,eTag,webUrl,createdDateTime,lastModifiedDateTime,createdBy,parentReference,file,folder,root,deleted'

/** Ids of items are unique within their library only. */
export const idOf = ({ id: library }: Library, { id }: Pick<GraphItem, 'id'>): string => `${library}/${id}`

/** Returns the item of a file. The version changes with the content only, as far as Graph has hashes. */
export async function itemOf(
  graph: Graph,
  library: Library,
  file: GraphItem,
  path: string,
): Promise<SourceItem> {
  const { name, size, eTag, webUrl, createdDateTime, lastModifiedDateTime, createdBy } = file
  const { quickXorHash, sha256Hash } = file.file?.hashes ?? {}
  const owner = createdBy?.user?.displayName
  return {
    ...{ id: idOf(library, file), name: partOf(name), path, size: size ?? null },
    version: quickXorHash ?? sha256Hash ?? eTag ?? lastModifiedDateTime ?? '',
    ...(webUrl && { url: webUrl }),
    ...(owner && { owner }),
    ...(createdDateTime && { created_at: new Date(createdDateTime) }),
    ...(lastModifiedDateTime && { changed_at: new Date(lastModifiedDateTime) }),
    ...(graph.context.mirrors && { readers: await readersOf(graph, library, file) }),
  }
}

/** Paths of folders. Delta pages name the parent of an item by its id only. */
export type Paths = {
  /** Remembers a folder of a page. */
  learn: (library: Library, folder: GraphItem) => void
  /** Returns the path of the parent of an item; null for one that is gone. Each unknown folder is asked for once. */
  parentOf: (library: Library, item: GraphItem) => Promise<string | null>
}

export function createPaths(graph: Graph): Paths {
  const known = new Map<string, Promise<string | null>>()
  const learned = new Map<string, GraphItem>()
  const pathOf = (library: Library, id: string, depth: number): Promise<string | null> => {
    // Folders that contain each other have no path.
    if (depth > MAX_DEPTH) return Promise.resolve(null)
    const key = idOf(library, { id })
    const found = known.get(key) ?? find(library, id, depth)
    known.set(key, found)
    return found
  }
  const find = async (library: Library, id: string, depth: number): Promise<string | null> => {
    const folder = learned.get(idOf(library, { id }))
    if (!folder) return askForPath(graph, library, id)
    if (folder.root) return library.path
    const parent = folder.parentReference?.id
    const above = parent === undefined ? null : await pathOf(library, parent, depth + 1)
    return above === null ? null : `${above}/${partOf(folder.name)}`
  }
  return {
    learn: (library, folder) => void learned.set(idOf(library, folder), folder),
    parentOf: async (library, { parentReference }) =>
      parentReference?.id === undefined ? null : pathOf(library, parentReference.id, 0),
  }
}

async function askForPath(graph: Graph, { id: library, path }: Library, id: string): Promise<string | null> {
  try {
    const address = `/drives/${encodeURIComponent(library)}/items/${encodeURIComponent(id)}`
    const folder = await graph.ask(`${address}?$select=id,name,parentReference,root`, GraphItem)
    if (folder.root) return path
    const above = decodePath(folder.parentReference?.path?.split('root:')[1] ?? '')
    return [path, ...above.map(partOf), partOf(folder.name)].join('/')
  } catch (error) {
    if (error instanceof ItemRefused) return null
    throw error
  }
}

function decodePath(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return parts
  }
}

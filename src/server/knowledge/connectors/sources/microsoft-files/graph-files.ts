import * as z from 'zod'
import type { SourceEntry } from '#shared/knowledge/file-picks/file-picks.ts'
import { browseFolders, librariesOf, partOf } from './graph-drives.ts'
import type { Graph } from './graph-requests.ts'

const MAX_ENTRIES = 500
const FIELDS = 'id,name,size,folder,file,webUrl'
const Entry = z.object({
  ...{ id: z.string(), name: z.string().default(''), size: z.number().optional() },
  ...{ folder: z.object({}).optional(), file: z.object({}).optional() },
})

/** Returns the folders and files directly in a folder, folders first. @throws ItemRefused for a folder that does not exist */
export async function browseFiles(
  graph: Graph,
  path: string,
): Promise<{ items: SourceEntry[]; has_more: boolean }> {
  const libraries = await librariesOf(graph)
  const library = libraries.find((one) => path === one.path || path.startsWith(`${one.path}/`))
  if (!library) {
    const { items, has_more } = await browseFolders(graph, path)
    return { items: items.map(({ name, path: own }) => folderOf(own, name)), has_more }
  }
  const rest = path.slice(library.path.length + 1)
  const at = rest === '' ? 'root' : `root:/${rest.split('/').map(encodeURIComponent).join('/')}:`
  const drive = encodeURIComponent(library.id)
  const all = await graph.askAll(`/drives/${drive}/${at}/children?$select=${FIELDS}`, Entry)
  const items = all
    .filter(({ folder, file }) => folder !== undefined || file !== undefined)
    .map(({ id, name, size, folder }) =>
      folder
        ? folderOf(`${path}/${name}`, name)
        : { id: `${library.id}/${id}`, path: `${path}/${name}`, name, size: size ?? null, is_folder: false },
    )
    .sort((a, b) => Number(b.is_folder) - Number(a.is_folder) || a.name.localeCompare(b.name))
  return { items: items.slice(0, MAX_ENTRIES), has_more: items.length > MAX_ENTRIES }
}

const folderOf = (path: string, name: string): SourceEntry => ({
  ...{ id: path, path, name, size: null, is_folder: true },
})

/** Returns the name, address and size of a file. */
export async function describeFile({ ask }: Graph, id: string) {
  const [library = '', item = ''] = id.split('/')
  const File = z.object({ name: z.string(), size: z.number().optional(), webUrl: z.string().optional() })
  const path = `/drives/${encodeURIComponent(library)}/items/${encodeURIComponent(item)}`
  const { name, size, webUrl } = await ask(`${path}?$select=name,size,webUrl`, File)
  return { name: partOf(name), size: size ?? null, ...(webUrl && { url: webUrl }) }
}

import * as z from 'zod'
import type { Settings, SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { trimEndSlashes } from '#shared/platform/trim-slashes.ts'
import { ItemRefused } from '../../define-connector.ts'
import { type Graph, whileListing } from './graph-requests.ts'

const MAX_SITES = 100
const MAX_FOLDERS = 500
const ONE_DRIVE = 'OneDrive'

/** A library of documents, and its path here. */
export type Library = { id: string; path: string }

const Drive = z.object({ id: z.string(), name: z.string().default('') })
const Site = z.object({ id: z.string(), displayName: z.string().optional(), name: z.string().optional() })
const Folder = z.object({
  name: z.string(),
  folder: z.object({ childCount: z.number().optional() }).optional(),
})

/** Names in paths have no slashes. */
export const partOf = (name: string): string => name.replaceAll('/', '-')

/** Returns the addresses of the sites. @throws AppError `invalid` */
export function siteAddresses({ sites = '' }: Settings): URL[] {
  const lines = sites
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length > MAX_SITES || lines.some((line) => !/^https:\/\//i.test(line) || !URL.canParse(line)))
    throw new AppError('invalid', `Enter at most ${MAX_SITES} addresses that start with https://.`)
  return lines.map((line) => new URL(line))
}

/** Returns the libraries of the sites; without sites the OneDrive of the person. */
export async function librariesOf(graph: Graph): Promise<Library[]> {
  const addresses = siteAddresses(graph.context.settings)
  if (addresses.length === 0) {
    const { id } = await graph.ask('/me/drive?$select=id,name', Drive)
    return [{ id, path: ONE_DRIVE }]
  }
  const all: Library[] = []
  for (const { host, pathname } of addresses) {
    const path = trimEndSlashes(pathname)
    const { id, displayName, name } = await graph.ask(`/sites/${host}${path ? `:${path}` : ''}`, Site)
    const drives = await graph.askAll(`/sites/${encodeURIComponent(id)}/drives?$select=id,name`, Drive)
    const site = partOf(displayName ?? name ?? host)
    all.push(...drives.map((drive) => ({ id: drive.id, path: `${site}/${partOf(drive.name)}` })))
  }
  return all
}

/** Tries the sign-in and the addresses of the sites. */
export async function assertDrives(graph: Graph): Promise<void> {
  const libraries = await whileListing(() => librariesOf(graph))
  if (libraries.length === 0) throw new AppError('unavailable', 'These sites have no libraries.')
}

/** Returns the folders directly in a folder, by name. @throws ItemRefused for a folder that does not exist */
export async function browseFolders(
  graph: Graph,
  path: string,
): Promise<{ items: SourceFolder[]; has_more: boolean }> {
  const libraries = await librariesOf(graph)
  const library = libraries.find((one) => path === one.path || path.startsWith(`${one.path}/`))
  if (library) return listFolders(graph, library, path)
  // Above the libraries are their sites.
  const start = path === '' ? '' : `${path}/`
  const below = libraries.filter((one) => one.path.startsWith(start))
  if (below.length === 0) throw new ItemRefused('not_found', `${graph.host} does not have this folder.`)
  const names = new Set(below.map((one) => one.path.slice(start.length).split('/')[0] ?? ''))
  return toFolders([...names], start)
}

async function listFolders(graph: Graph, { id, path: root }: Library, path: string) {
  const rest = path.slice(root.length + 1)
  const at = rest === '' ? 'root' : `root:/${rest.split('/').map(encodeURIComponent).join('/')}:`
  const items = await graph.askAll(
    `/drives/${encodeURIComponent(id)}/${at}/children?$select=name,folder`,
    Folder,
  )
  return toFolders(
    items.filter(({ folder }) => folder !== undefined).map(({ name }) => name),
    `${path}/`,
  )
}

function toFolders(names: string[], start: string): { items: SourceFolder[]; has_more: boolean } {
  const items = names.sort().map((name) => ({ path: `${start}${name}`, name, has_folders: true }))
  return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
}

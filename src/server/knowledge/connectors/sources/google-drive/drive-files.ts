import * as z from 'zod'
import type { SourceItem } from '../../define-connector.ts'
import { ItemRefused } from '../../define-connector.ts'
import { guardCursors } from '../../requests/guard-cursors.ts'
import type { Drive } from './drive-requests.ts'

export const FOLDER = 'application/vnd.google-apps.folder'
const SHORTCUT = 'application/vnd.google-apps.shortcut'
const NATIVE = 'application/vnd.google-apps.'
const OFFICE = 'application/vnd.openxmlformats-officedocument.'

/** Formats in which Google exports its own documents. */
const exports: Record<string, { type: string; extension: string }> = {
  [`${NATIVE}document`]: { type: `${OFFICE}wordprocessingml.document`, extension: 'docx' },
  [`${NATIVE}spreadsheet`]: { type: `${OFFICE}spreadsheetml.sheet`, extension: 'xlsx' },
  [`${NATIVE}presentation`]: { type: `${OFFICE}presentationml.presentation`, extension: 'pptx' },
}
export const exportOf = (mimeType: string) => exports[mimeType] ?? null
export const isNative = (mimeType: string) => mimeType.startsWith(NATIVE)
export const isFolder = ({ mimeType }: Pick<DriveFile, 'mimeType'>) => mimeType === FOLDER
/** Shortcuts are left out: what they point to is listed where it is. */
export const isShortcut = ({ mimeType }: Pick<DriveFile, 'mimeType'>) => mimeType === SHORTCUT

const Permission = z.object({
  type: z.string(),
  emailAddress: z.string().optional(),
  deleted: z.boolean().default(false),
  expirationTime: z.string().optional(),
})
type Permission = z.infer<typeof Permission>

export const DriveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  parents: z.array(z.string()).default([]),
  driveId: z.string().optional(),
  trashed: z.boolean().default(false),
  size: z.string().optional(),
  md5Checksum: z.string().optional(),
  headRevisionId: z.string().optional(),
  modifiedTime: z.string().optional(),
  createdTime: z.string().optional(),
  webViewLink: z.string().optional(),
  owners: z
    .array(z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() }))
    .default([]),
  permissions: z.array(Permission).optional(),
})
export type DriveFile = z.infer<typeof DriveFile>

const PERMISSION_FIELDS = 'type,emailAddress,deleted,expirationTime'
const FILE_FIELDS = `id,name,mimeType,parents,driveId,trashed,size,md5Checksum,headRevisionId,modifiedTime,createdTime,webViewLink,owners(displayName,emailAddress)`
export const fieldsOf = ({ context }: Drive): string =>
  context.mirrors ? `${FILE_FIELDS},permissions(${PERMISSION_FIELDS})` : FILE_FIELDS

/** A name as a part of a path. Names in Drive may contain slashes. */
export const partOf = (name: string): string => name.replaceAll('/', '-')

/** Name of the stored file: an exported document has the extension of its format. */
export function nameOf({ name, mimeType }: Pick<DriveFile, 'name' | 'mimeType'>): string {
  const extension = exportOf(mimeType)?.extension
  return partOf(extension && !name.toLowerCase().endsWith(`.${extension}`) ? `${name}.${extension}` : name)
}

/** Returns the item of a file in a folder. */
export async function itemOf(drive: Drive, file: DriveFile, folder: string): Promise<SourceItem> {
  const { id, size, md5Checksum, headRevisionId, modifiedTime, createdTime, webViewLink, owners } = file
  const [name, owner] = [nameOf(file), owners[0]?.displayName ?? owners[0]?.emailAddress]
  return {
    ...{ id, name, path: `${folder}/${name}` },
    version: md5Checksum ?? headRevisionId ?? modifiedTime ?? '',
    size: size === undefined || isNative(file.mimeType) ? null : Number(size),
    ...(webViewLink && { url: webViewLink }),
    ...(owner && { owner }),
    ...(createdTime && { created_at: new Date(createdTime) }),
    ...(modifiedTime && { changed_at: new Date(modifiedTime) }),
    ...(drive.context.mirrors && { readers: await readersOf(drive, file) }),
  }
}

/**
 * Returns those who may read a file. Permissions of a domain or of everyone with the link are left out: the source does not name
 * people there. The permissions of a file in a shared drive are a request of their own, and a file whose permissions the account may not see is
 * read by its owners only.
 */
async function readersOf(drive: Drive, file: DriveFile): Promise<string[]> {
  const owners: Permission[] = file.owners.map(({ emailAddress = '' }) => ({
    type: 'user',
    emailAddress,
    deleted: false,
  }))
  return keysOf(file.driveId ? await listPermissions(drive, file.id) : (file.permissions ?? owners))
}

/** Returns the members of a shared drive, in order. */
export const membersOf = async (drive: Drive, driveId: string): Promise<string[]> =>
  keysOf(await listPermissions(drive, driveId)).sort()

const keysOf = (permissions: readonly Permission[]): string[] =>
  permissions.filter(isValid).map(({ type, emailAddress = '' }) => `${type}:${emailAddress.toLowerCase()}`)

function isValid({ type, emailAddress, deleted, expirationTime }: Permission): boolean {
  const isOver = expirationTime !== undefined && Date.parse(expirationTime) <= Date.now()
  return ['user', 'group'].includes(type) && Boolean(emailAddress) && !deleted && !isOver
}

const Permissions = z.object({
  permissions: z.array(Permission).default([]),
  nextPageToken: z.string().optional(),
})

async function listPermissions(drive: Drive, id: string): Promise<Permission[]> {
  const [all, guard] = [[] as Permission[], guardCursors(drive.host)]
  let pageToken: string | undefined
  try {
    do {
      const parameters = {
        ...{ pageSize: '100', supportsAllDrives: 'true', ...(pageToken && { pageToken }) },
        fields: `nextPageToken,permissions(${PERMISSION_FIELDS})`,
      }
      const page = await drive.ask(`/files/${encodeURIComponent(id)}/permissions`, parameters, Permissions)
      all.push(...page.permissions)
      pageToken = guard(page.nextPageToken)
    } while (pageToken)
  } catch (error) {
    // The account may read the file but not its permissions.
    if (error instanceof ItemRefused) return []
    throw error
  }
  return all
}

import { type Format, type Job, Unreadable } from '../elements/port.ts'
import { openZip, type Zip } from '../zip/open-zip.ts'

const mimetypes: [prefix: string, format: Format][] = [
  ['application/epub+zip', 'epub'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
]

const mainParts: [pattern: RegExp, format: Format | null][] = [
  [/wordprocessingml\.(document|template)\.main|ms-word\.(document|template)\.macroEnabled\.main/, 'docx'],
  [/spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.macroEnabled\.main/, 'xlsx'],
  [/presentationml\.(presentation|template|slideshow)\.main|ms-powerpoint\.\w+\.macroEnabled\.main/, 'pptx'],
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/, null],
]

/**
 * The kind of a zip by its content: its `mimetype`, the main part of its content types, else an archive. A zip that is too
 * large or broken is of the kind its name suggests, so that its parser reports why it cannot be read. Null for unsupported
 * kinds of documents.
 */
export async function sniffZip(
  job: Pick<Job, 'path' | 'limits' | 'signal'>,
  promised: Format | null,
): Promise<Format | null> {
  try {
    const zip = await openZip(job)
    try {
      return await kindOf(zip)
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Unreadable) return promised && zipped.has(promised) ? promised : 'zip'
    throw error
  }
}

const zipped = new Set<Format>(['docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'epub'])

async function kindOf(zip: Zip): Promise<Format | null> {
  const mimetype = (await small(zip, 'mimetype'))?.trim()
  const typed = mimetype && mimetypes.find(([prefix]) => mimetype.startsWith(prefix))
  if (typed) return typed[1]
  const types = await small(zip, '[Content_Types].xml')
  const main = types && mainParts.find(([pattern]) => pattern.test(types))
  if (main) return main[1]
  if (zip.has('word/document.xml')) return 'docx'
  if (zip.has('xl/workbook.xml')) return 'xlsx'
  if (zip.has('ppt/presentation.xml')) return 'pptx'
  if (zip.has('META-INF/container.xml')) return 'epub'
  // Documents of Apple's Pages, Numbers and Keynote.
  const isApple =
    zip.has('Index/Document.iwa') || zip.has('index.apxl') || zip.has('buildVersionHistory.plist')
  return isApple ? null : 'zip'
}

async function small(zip: Zip, name: string): Promise<string | null> {
  const entry = zip.entries.find((one) => one.name === name)
  if (!entry || entry.size > 1_000_000 || entry.isEncrypted) return null
  return (await zip.read(name))?.toString('utf8') ?? null
}

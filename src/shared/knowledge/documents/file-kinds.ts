/** File extensions by category of the library. */
const categories = {
  pdf: ['pdf'],
  office: ['doc', 'docx', 'ppt', 'pptx', 'xls', 'xlsx', 'odt', 'ods', 'odp', 'rtf', 'csv'],
  images: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp', 'tiff', 'tif', 'svg'],
  media: ['mp3', 'mp4', 'wav', 'ogg', 'webm', 'flac', 'm4a', 'aac', 'mov', 'avi', 'mkv'],
  html: ['html', 'htm'],
  markdown: ['md', 'markdown'],
  text: ['txt', 'text', 'json', 'xml', 'vtt', 'srt', 'sbv'],
  mail: ['eml', 'msg'],
  archive: ['zip', 'epub'],
} as const

const transcripts: readonly string[] = ['vtt', 'srt', 'sbv']

/** Returns whether a file is a transcript with times. */
export const isTranscript = (extension: string) => transcripts.includes(extension.toLowerCase())

export type FileCategory = keyof typeof categories

/** Returns the category of an extension, or null when it has none. */
export function categoryOf(extension: string): FileCategory | null {
  const wanted = extension.toLowerCase()
  const found = Object.entries(categories).find(([, extensions]) =>
    (extensions as readonly string[]).includes(wanted),
  )
  return (found?.[0] as FileCategory | undefined) ?? null
}

export function extensionsOf(category: FileCategory): readonly string[] {
  return categories[category]
}

/** Returns the label of a file's chip. */
export function chipLabel(extension: string): 'DOC' | 'XLS' | 'PPT' | 'TXT' | 'PDF' | 'CSV' {
  const one = extension.toLowerCase()
  if (['xls', 'xlsx', 'ods'].includes(one)) return 'XLS'
  if (['ppt', 'pptx', 'odp'].includes(one)) return 'PPT'
  if (['txt', 'text', 'md', 'markdown', ...transcripts].includes(one)) return 'TXT'
  if (one === 'pdf') return 'PDF'
  return one === 'csv' ? 'CSV' : 'DOC'
}

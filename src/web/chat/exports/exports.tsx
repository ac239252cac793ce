export { ChatOut, ExportDialog } from './chat-out.tsx'
export { noteExport } from './export-chat.ts'
export { ExportList } from './export-list.tsx'
export { NewArchive } from './new-archive.tsx'

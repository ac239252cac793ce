import type { Import } from '#shared/lifecycle/imports/imports.ts'
import type { ShownImport } from './import-store.ts'

/** Returns an import as its person sees it. */
export function showImport(row: ShownImport): Import {
  const { id, name, size, format, state, done, total, preview, added, problems, kept, error } = row
  return {
    ...{ id, name, size, format, state, done, total, added, problems, kept, error },
    // Previews of earlier versions do not count all kinds.
    preview: preview && {
      ...preview,
      ...{ facts: preview.facts ?? 0, schedules: preview.schedules ?? 0, projects: preview.projects ?? 0 },
    },
    has_file: row.parts.length > 0,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

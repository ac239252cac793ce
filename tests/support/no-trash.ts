import type { TestApp } from './app.ts'

/** Switches the trash off, so that a deletion is immediate. */
export async function switchOffTrash({ deps }: { deps: Pick<TestApp['deps'], 'db'> }): Promise<void> {
  await deps.db.updateTable('trash_rule').set({ days: 0 }).execute()
}

import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import type { ProjectChanges } from '../use-projects.ts'

/** What can be changed in the form. */
export type ProjectDraft = Pick<
  ProjectDetails,
  'name' | 'description' | 'colour' | 'icon' | 'instructions' | 'model_name'
> & { assistant_id: string | null }

/** Returns the saved values of the form. */
export function draftOf(project: ProjectDetails): ProjectDraft {
  const { name, description, colour, icon, instructions, model_name, assistant } = project
  return { name, description, colour, icon, instructions, model_name, assistant_id: assistant?.id ?? null }
}

/** Returns only what was changed, so that another browser's changes stay. */
export function changesOf(saved: ProjectDraft, { instructions, ...draft }: ProjectDraft, based_on: number) {
  const changed = Object.entries(draft).filter(([name, value]) => saved[name as keyof ProjectDraft] !== value)
  const changes: ProjectChanges = Object.fromEntries(changed)
  if (instructions.trim() !== saved.instructions) changes.instructions = { text: instructions, based_on }
  return changes
}

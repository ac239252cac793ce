import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { type ProjectChanges, saveProject } from '../use-projects.ts'

/** The values of the form. */
export type ProjectDraft = Pick<
  ProjectDetails,
  'name' | 'description' | 'colour' | 'icon' | 'instructions' | 'model_name'
> & { assistant_id: string | null }

/** Edited fields only, so that changes of another browser show in the others. */
type Edits = Partial<ProjectDraft>

/** The draft of a project's settings. Text that is typed during a save stays in it. */
export function useProjectDraft(project: ProjectDetails) {
  const saved = savedOf(project)
  const [edits, setEdits] = useState<Edits>({})
  // The version that the instructions were when their edit began.
  const [basedOn, setBasedOn] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const changed = changedOf(saved, edits)
  const change = (fields: Edits) => {
    if (fields.instructions !== undefined) setBasedOn((before) => before ?? project.instructions_version)
    setEdits((before) => ({ ...before, ...fields }))
  }
  const discard = () => {
    setEdits({})
    setBasedOn(null)
  }
  const save = async (): Promise<boolean> => {
    setBusy(true)
    setError(null)
    try {
      await saveProject(project.id, changesOf(changed, basedOn ?? project.instructions_version))
      setEdits((now) => changedOf(changed, now))
      setBasedOn(null)
      return true
    } catch (failed) {
      setError(failed)
      return false
    } finally {
      setBusy(false)
    }
  }
  const isChanged = Object.keys(changed).length > 0
  return { draft: { ...saved, ...edits }, isChanged, isBusy, error, change, discard, save }
}

function savedOf(project: ProjectDetails): ProjectDraft {
  const { name, description, colour, icon, instructions, model_name, assistant } = project
  return { name, description, colour, icon, instructions, model_name, assistant_id: assistant?.id ?? null }
}

/** Returns the edits that differ. The server trims instructions. */
function changedOf(saved: Edits, edits: Edits): Edits {
  const trim = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
  const all = Object.entries(edits)
  return Object.fromEntries(
    all.filter(([name, value]) => trim(saved[name as keyof ProjectDraft]) !== trim(value)),
  )
}

function changesOf({ instructions, ...rest }: Edits, based_on: number): ProjectChanges {
  return { ...rest, ...(instructions !== undefined && { instructions: { text: instructions, based_on } }) }
}

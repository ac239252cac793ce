import type { Generated } from 'kysely'
import type { ProjectColour, ProjectIcon } from '#shared/chat/projects/looks.ts'
import type { ProjectRole } from '#shared/chat/projects/roles.ts'
import type { CreatedAt, OptionalTime, Time } from './columns.ts'

/** Workspaces, which are projects, with their members and the places people give them (migrations 0030, 0360, 0451). */
export type ProjectTables = {
  workspaces: {
    id: Generated<string>
    class_id: string | null
    /** The owner; null while a shared project has no manager. */
    user_id: string | null
    name: string
    description: string | null
    is_default: Generated<boolean>
    instructions: Generated<string>
    /** 0 until instructions were saved. */
    instructions_version: Generated<number>
    assistant_id: string | null
    model_name: string | null
    colour: Generated<ProjectColour>
    icon: Generated<ProjectIcon>
    archived_at: OptionalTime
    /** Company whose administrators name the next manager. */
    managed_by: Generated<string | null>
    created_at: CreatedAt
    updated_at: Time
  }
  workspace_documents: {
    workspace_id: string
    document_id: string
    added_at: CreatedAt
    /** Members read the document when its owner added it. */
    added_by: string | null
    /** Connector with which it came. */
    connector_id: Generated<string | null>
  }
  instruction_versions: {
    workspace_id: string
    version: number
    text: string
    saved_by: string | null
    /** It came with an archive. */
    is_imported: Generated<boolean>
    created_at: CreatedAt
  }
  /** Questions that the documents of a project could not answer, by meaning (migration 0601). */
  unanswered_groups: {
    id: Generated<string>
    workspace_id: string
    model: string
    state: Generated<'open' | 'answered' | 'dismissed'>
    counted_on: string | null
    askers: Generated<number>
    words: Generated<string[]>
    created_at: CreatedAt
  }
  unanswered_questions: {
    message_id: string
    session_id: string
    workspace_id: string
    user_id: string
    group_id: string | null
    vector: Buffer | null
    is_counted: Generated<boolean>
    asked_at: CreatedAt
  }
  workspace_members: {
    id: Generated<string>
    workspace_id: string
    person_id: string | null
    group_id: string | null
    /** Company the person must still belong to; null when a super admin added them. */
    within: string | null
    role: ProjectRole
    added_by: string | null
    created_at: CreatedAt
  }
  project_marks: {
    user_id: string
    workspace_id: string
    is_pinned: Generated<boolean>
    is_collapsed: Generated<boolean>
    position: number | null
  }
}

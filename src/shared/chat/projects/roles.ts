import * as z from 'zod/mini'

/** Roles of a member of a project. The owner of the project manages it. */
export const ProjectRole = z.enum(['reader', 'writer', 'manager'])
export type ProjectRole = z.infer<typeof ProjectRole>

/** The roles that may do each action in a project. The access layer and the table on the page of members read it. */
export const roleTable = {
  read_chats: ['reader', 'writer', 'manager'],
  read_documents: ['reader', 'writer', 'manager'],
  begin_chats: ['reader', 'writer', 'manager'],
  reply_in_chats: ['writer', 'manager'],
  stop_replies: ['writer', 'manager'],
  add_documents: ['writer', 'manager'],
  change_settings: ['manager'],
  change_members: ['manager'],
  set_budget: ['manager'],
  duplicate_project: ['reader', 'writer', 'manager'],
  archive_project: ['manager'],
  delete_project: ['manager'],
} as const satisfies Record<string, readonly ProjectRole[]>
export type ProjectAction = keyof typeof roleTable

export const projectActions = Object.keys(roleTable) as ProjectAction[]

/** Returns whether a role may do an action. */
export const mayInProject = (role: ProjectRole, action: ProjectAction): boolean =>
  (roleTable[action] as readonly ProjectRole[]).includes(role)

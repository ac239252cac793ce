import { CHATS_TYPE } from '../../../runs/sessions/sessions.ts'

/** Type of a dragged project; its data is the id. */
export const PROJECT_TYPE = 'application/x-atrium-project'

/** Returns whether the dragged items can be dropped on a project. */
export const isTaken = ({ types }: DataTransfer): boolean =>
  types.includes(CHATS_TYPE) || types.includes(PROJECT_TYPE)

/** Returns the dropped project, or the dropped chats. */
export function readDragged(data: DataTransfer): { projectId: string; chatIds: string[] } {
  return {
    projectId: data.getData(PROJECT_TYPE),
    chatIds: data.getData(CHATS_TYPE).split(' ').filter(Boolean),
  }
}

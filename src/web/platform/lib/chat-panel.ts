import { create } from 'zustand'
import { setSidebarOpen, useLayout } from './layout.ts'

type ChatPanel = {
  /** Content of the chat's right sidebar: `context` (its sections), the name of a panel, or null while closed. */
  shown: string | null
  /** Subject of a panel, such as the id of a tool execution. */
  subject: string | null
  /** Origin of the subject: the call in the chat that was run again. */
  origin: string | null
  /** The person opened it to change the subject. */
  isEditing: boolean
  /** The expanded section of `context`; at most one. */
  section: string | null
  /** Width set by the person; null for the default width of the content. */
  width: number | null
  /** `context` was open before a panel replaced it. */
  wasContext: boolean
  /** The left sidebar was reduced to the rail to make room. */
  tookRoom: boolean
}

const closed: ChatPanel = {
  ...{ shown: null, subject: null, origin: null, isEditing: false, section: null, width: null },
  ...{ wasContext: false, tookRoom: false },
}

export const PANEL_MIN = 300
export const MAX_PANEL = 800
/** Below this width, the right sidebar overlays the chat. */
export const NARROW = '(max-width: 1023px)'
/** Below this width, a wide panel leaves no space for the left sidebar. */
const ROOMY = '(min-width: 1600px)'

/** The right sidebar of the chat, which every feature of the chat may open. */
export const useChatPanel = create<ChatPanel>(() => closed)

/** Opens the sections, optionally with one expanded. */
export function openContext(section?: string): void {
  useChatPanel.setState((state) => ({
    ...{ shown: 'context', subject: null, origin: null, isEditing: false, wasContext: false },
    section: section ?? state.section,
    width: state.shown === 'context' ? state.width : null,
  }))
}

/** Expands a section, or collapses it if it is open. */
export function toggleSection(name: string): void {
  useChatPanel.setState(({ section }) => ({ section: section === name ? null : name }))
}

type Opening = { origin?: string | null; isEditing?: boolean }

/** Shows a panel (see `shell/chat-panels.ts`) about `subject` instead of the sections. */
export function openPanel(
  name: string,
  subject: string | null = null,
  { origin = null, isEditing = false }: Opening = {},
): void {
  const { shown, wasContext, tookRoom, width } = useChatPanel.getState()
  const takesRoom = useLayout.getState().isSidebarOpen && !matchMedia(ROOMY).matches
  if (takesRoom) setSidebarOpen(false)
  useChatPanel.setState({
    ...{ shown: name, subject, origin, isEditing, tookRoom: tookRoom || takesRoom },
    wasContext: shown === null ? false : shown === 'context' || wasContext,
    width: shown === name ? width : null,
  })
}

/** Closes the right sidebar; it opens again in its initial state. */
export function closeChatPanel(): void {
  giveRoomBack()
  useChatPanel.setState(closed)
}

/** Closes the right sidebar if it overlays the chat, to reveal what was chosen in it. */
export function uncoverChat(): void {
  if (matchMedia(NARROW).matches) closeChatPanel()
}

/** Replaces a panel about the previous session with what was open before it. */
export function leavePanelSubject(): void {
  const { shown, section, wasContext } = useChatPanel.getState()
  if (shown === null || shown === 'context') return
  giveRoomBack()
  useChatPanel.setState(wasContext ? { ...closed, shown: 'context', section } : closed)
}

/** Resizes the right sidebar. */
export function setPanelWidth(width: number): void {
  useChatPanel.setState({ width: Math.round(Math.min(MAX_PANEL, Math.max(PANEL_MIN, width))) })
}

function giveRoomBack(): void {
  if (useChatPanel.getState().tookRoom) setSidebarOpen(true)
}

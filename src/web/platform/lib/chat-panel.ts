import { create } from 'zustand'
import { setSidebarOpen, useLayout } from './layout.ts'

type ChatPanel = {
  /** What the right sidebar of the chat shows: `context` (its sections), the name of a panel, or null while closed. */
  shown: string | null
  /** What a panel is about, for instance the id of a tool execution. */
  subject: string | null
  /** What the subject came from: the call in the chat that was run again. */
  origin: string | null
  /** The person came to change the subject. */
  isEditing: boolean
  /** The section of `context` that is unfolded; at most one. */
  section: string | null
  /** The width a person dragged it to; null for the width of what it shows. */
  width: number | null
  /** `context` was open before a panel took its place. */
  wasContext: boolean
  /** The left sidebar became the rail to make room. */
  tookRoom: boolean
}

const closed: ChatPanel = {
  ...{ shown: null, subject: null, origin: null, isEditing: false, section: null, width: null },
  ...{ wasContext: false, tookRoom: false },
}

export const PANEL_MIN = 300
export const PANEL_MAX = 800
/** Narrower than this the right sidebar lies over the chat. */
export const NARROW = '(max-width: 1023px)'
/** Below this width a wide panel leaves no room for the left sidebar. */
const ROOMY = '(min-width: 1440px)'

/** The right sidebar of the chat, which every feature of the chat may open. */
export const useChatPanel = create<ChatPanel>(() => closed)

/** Opens the sections; with a name that section is unfolded. */
export function openContext(section?: string): void {
  useChatPanel.setState((state) => ({
    ...{ shown: 'context', subject: null, origin: null, isEditing: false, wasContext: false },
    section: section ?? state.section,
    width: state.shown === 'context' ? state.width : null,
  }))
}

/** Unfolds a section, or folds it when it is the open one. */
export function toggleSection(name: string): void {
  useChatPanel.setState(({ section }) => ({ section: section === name ? null : name }))
}

type Opening = { origin?: string | null; isEditing?: boolean }

/** Shows a panel (see `shell/chat-panels.ts`) in place of the sections, about `subject`. */
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

/** Closes the right sidebar; it opens again as it was in the beginning. */
export function closeChatPanel(): void {
  giveRoomBack()
  useChatPanel.setState(closed)
}

/** Closes the right sidebar where it lies over the chat: what was chosen in it is there. */
export function uncoverChat(): void {
  if (matchMedia(NARROW).matches) closeChatPanel()
}

/** Another session is shown: what was about the old one gives way to what was there before it. */
export function leavePanelSubject(): void {
  const { shown, section, wasContext } = useChatPanel.getState()
  if (shown === null || shown === 'context') return
  giveRoomBack()
  useChatPanel.setState(wasContext ? { ...closed, shown: 'context', section } : closed)
}

/** Drags the edge of the right sidebar. */
export function setPanelWidth(width: number): void {
  useChatPanel.setState({ width: Math.round(Math.min(PANEL_MAX, Math.max(PANEL_MIN, width))) })
}

function giveRoomBack(): void {
  if (useChatPanel.getState().tookRoom) setSidebarOpen(true)
}

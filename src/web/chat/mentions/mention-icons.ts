import {
  BookMarked,
  Bot,
  FileText,
  FolderKanban,
  type LucideIcon,
  MessageSquare,
  User,
  Wrench,
} from 'lucide-react'
import type { MentionKind } from '#shared/chat/messages/mentions.ts'

/** Icons of what a message may name, and of prompts. */
export const mentionIcons: Record<MentionKind | 'prompt', LucideIcon> = {
  assistant: Bot,
  document: FileText,
  workspace: FolderKanban,
  session: MessageSquare,
  tool: Wrench,
  person: User,
  prompt: BookMarked,
}

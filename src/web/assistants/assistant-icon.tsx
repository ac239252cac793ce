import { Bot, ChartColumn, type LucideIcon, MessageSquare, Search } from 'lucide-react'

const icons: Record<string, LucideIcon> = {
  'chart-column': ChartColumn,
  'message-square': MessageSquare,
  search: Search,
}

/** The icon an assistant names, else the one of all assistants. */
export function AssistantIcon({ name }: { name: string | null }) {
  const Icon = icons[name ?? ''] ?? Bot
  return <Icon aria-hidden className="icon text-ink-2" />
}

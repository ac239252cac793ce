import {
  BookOpen,
  Bot,
  Building2,
  ChartColumn,
  FileText,
  Headphones,
  Leaf,
  LifeBuoy,
  type LucideIcon,
  Mail,
  MessageSquare,
  Scale,
  Search,
  ShieldCheck,
  Target,
  Wallet,
} from 'lucide-react'

/** Available icons of assistants, by name. */
export const assistantIcons: Readonly<Record<string, LucideIcon>> = {
  'message-square': MessageSquare,
  search: Search,
  'chart-column': ChartColumn,
  scale: Scale,
  'file-text': FileText,
  mail: Mail,
  wallet: Wallet,
  target: Target,
  'building-2': Building2,
  'shield-check': ShieldCheck,
  'book-open': BookOpen,
  headphones: Headphones,
  leaf: Leaf,
  'life-buoy': LifeBuoy,
}

type AssistantIconProps = { name: string | null; className?: string }

/** The icon named by an assistant, otherwise the default one. */
export function AssistantIcon({ name, className = 'icon text-ink-2' }: AssistantIconProps) {
  const Icon = assistantIcons[name ?? ''] ?? Bot
  return <Icon aria-hidden className={className} />
}

import { Building2, FolderKanban, Globe, User, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RecipientKind } from '#shared/identity/sharing/sharing.ts'

const icons = { everybody: Globe, company: Building2, group: Users, person: User, project: FolderKanban }

type RecipientRowProps = {
  who: RecipientKind
  name: string
  detail: string
  /** True for the row of an ended share. */
  isQuiet?: boolean
  children?: ReactNode
}

/** A recipient with the controls of its share. */
export function RecipientRow({ who, name, detail, isQuiet = false, children }: RecipientRowProps) {
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2.5 pl-3.5">
      <RecipientIcon who={who} />
      <span className="min-w-0 flex-1 basis-24">
        <span dir="auto" className={`block text-13 font-medium wrap-anywhere ${isQuiet ? 'text-ink-2' : ''}`}>
          {name}
        </span>
        <span className="block text-12 text-ink-3 wrap-anywhere">{detail}</span>
      </span>
      <span className="ml-auto flex items-center gap-1.5">{children}</span>
    </li>
  )
}

export function RecipientIcon({ who }: { who: RecipientKind }) {
  const Icon = icons[who]
  return (
    <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
      <Icon aria-hidden className="icon" />
    </span>
  )
}

import clsx from 'clsx'
import {
  BookOpen,
  BriefcaseBusiness,
  Building2,
  ChartColumn,
  FlaskConical,
  FolderKanban,
  type LucideIcon,
  Scale,
  Users,
} from 'lucide-react'
import type { ProjectColour, ProjectIcon } from '#shared/chat/projects/looks.ts'

const icons: Record<ProjectIcon, LucideIcon> = {
  ...{ folder: FolderKanban, briefcase: BriefcaseBusiness, chart: ChartColumn, scale: Scale },
  ...{ building: Building2, flask: FlaskConical, book: BookOpen, users: Users },
}
const inks: Record<ProjectColour, string> = {
  ...{ blue: 'text-accent', green: 'text-success', amber: 'text-warning' },
  ...{ red: 'text-danger', grey: 'text-ink-2' },
}
export const projectIcons = Object.keys(icons) as ProjectIcon[]
export const projectColours = Object.keys(inks) as ProjectColour[]

type ProjectMarkProps = { colour: ProjectColour; icon: ProjectIcon; className?: string }

/** The icon of a project in its colour; the name stands next to it. */
export function ProjectLook({ colour, icon, className = 'icon' }: ProjectMarkProps) {
  const Icon = icons[icon]
  return <Icon aria-hidden className={clsx(className, 'flex-none', inks[colour])} />
}

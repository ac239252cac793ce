import { Bookmark, Bot, FolderOpen, Library, Lightbulb, type LucideIcon, Users, Wrench } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { Control } from '#shared/platform/controls.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { loadTexts } from '../../platform/i18n/i18n.ts'

const loadDocuments = () => import('../../knowledge/documents/documents.ts')
const loadKnowledge = () => import('../../knowledge/workspaces/knowledge-section.tsx')
const loadMemory = async () =>
  (await Promise.all([import('../../chat/memory/memory-section.tsx'), loadTexts('memory')]))[0]
const loadAssistants = () => import('../../chat/assistants/assistants.ts')

type Content = ComponentType<{ sessionId: string }>

/** A section of the context. Its texts are in the chat's namespace under `panel`. */
type Section = {
  name: string
  icon: LucideIcon
  Content: Content
  Note?: Content
  /** The composer has it if there is space. */
  isOnPhones?: boolean
  /** Shown only for this agent type. */
  agent?: AgentType
  /** Shown unless this control is hidden. */
  control?: Control
}
/** A panel that fills the right sidebar and renders its own `PanelHeader`. */
type Panel = {
  name: string
  width: number
  Content: ComponentType<{ sessionId: string; subject: string | null }>
}

/** The sections of the context, top to bottom. */
export const sections: Section[] = [
  {
    name: 'assistant',
    icon: Bot,
    control: 'assistant_picker',
    isOnPhones: true,
    Content: lazy(() => loadAssistants().then((file) => ({ default: file.AssistantSection }))),
    Note: lazy(() => loadAssistants().then((file) => ({ default: file.AssistantNote }))),
  },
  {
    name: 'team',
    icon: Users,
    agent: 'orchestrator',
    Content: lazy(() => loadAssistants().then((file) => ({ default: file.TeamSection }))),
    Note: lazy(() => loadAssistants().then((file) => ({ default: file.TeamNote }))),
  },
  {
    name: 'environment',
    icon: FolderOpen,
    Content: lazy(() => loadDocuments().then((file) => ({ default: file.EnvironmentSection }))),
    Note: lazy(() => loadDocuments().then((file) => ({ default: file.EnvironmentNote }))),
  },
  {
    name: 'tools',
    icon: Wrench,
    control: 'chat_tools',
    Content: lazy(() =>
      import('../../tools/tools/tools-section.tsx').then((file) => ({ default: file.ToolsSection })),
    ),
    Note: lazy(() =>
      import('../../tools/tools/tools-section.tsx').then((file) => ({ default: file.ToolsNote })),
    ),
  },
  {
    name: 'belief',
    icon: Lightbulb,
    Content: lazy(() =>
      import('../../chat/beliefs/belief-section.tsx').then((file) => ({ default: file.BeliefSection })),
    ),
    Note: lazy(() =>
      import('../../chat/beliefs/belief-section.tsx').then((file) => ({ default: file.BeliefNote })),
    ),
  },
  {
    name: 'memory',
    icon: Bookmark,
    control: 'memory',
    Content: lazy(() => loadMemory().then((file) => ({ default: file.MemorySection }))),
    Note: lazy(() => loadMemory().then((file) => ({ default: file.MemoryNote }))),
  },
  {
    name: 'knowledge',
    icon: Library,
    Content: lazy(() => loadKnowledge().then((file) => ({ default: file.KnowledgeSection }))),
    Note: lazy(() => loadKnowledge().then((file) => ({ default: file.KnowledgeNote }))),
  },
]

/** The panels that can replace the sections, opened with `openPanel(name, subject)`. */
export const panels: Panel[] = [
  { name: 'branches', width: 500, Content: lazy(() => import('../../chat/branches/branch-panel.tsx')) },
  {
    name: 'checkpoints',
    width: 600,
    Content: lazy(() => import('../../chat/checkpoints/checkpoint-panel.tsx')),
  },
  {
    name: 'document',
    width: 600,
    Content: lazy(() =>
      import('../../knowledge/preview/document-panel.tsx').then((file) => ({ default: file.DocumentPanel })),
    ),
  },
  {
    name: 'artifact',
    width: 600,
    Content: lazy(() => import('./artifact-panel.tsx').then((file) => ({ default: file.ArtifactPanel }))),
  },
]

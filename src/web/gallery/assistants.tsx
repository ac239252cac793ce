import { type ReactNode, useState } from 'react'
import type { Assistant } from '#shared/assistants/assistants.ts'
import { AssistantOptions } from '../assistants/assistants.ts'

const anAssistant = (name: string, description: string, patch: Partial<Assistant> = {}): Assistant => ({
  ...{ id: name, name, description, icon: null, agent_type: 'multi_turn', model_name: null },
  ...{ system_prompt: '', example_prompts: [], temperature: null, documents: [], tools: null },
  ...{ status: 'published', shared: false, built_in: false, can_edit: true },
  ...{ created_at: null, updated_at: null, ...patch },
})

const few = [
  anAssistant('Procurement analyst', 'Compares offers and contracts, and names the page of every figure.'),
  anAssistant('Note de négociation', 'Rédige la note d’une page avant un rendez-vous fournisseur.', {
    status: 'draft',
  }),
  anAssistant('Researcher', 'Looks things up step by step.', { built_in: true, icon: 'search' }),
  anAssistant('Analyst', 'Works with figures.', { built_in: true, icon: 'chart-column' }),
]
const many = [
  ...Array.from({ length: 12 }, (_, at) => anAssistant(`Supplier file ${at + 1}`, 'Knows one supplier.')),
  ...few,
]

/** Who may write the next replies: a few, and so many that they are searched. */
export function Assistants({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  return (
    <>
      {draw('assistants', <Choice assistants={few} />)}
      {draw('assistants-many', <Choice assistants={many} />)}
    </>
  )
}

function Choice({ assistants }: { assistants: Assistant[] }) {
  const [currentId, setCurrentId] = useState<string | null>('Researcher')
  return (
    <div className="max-w-90 rounded-card bg-raised text-13 shadow-float">
      <AssistantOptions
        assistants={assistants}
        currentId={currentId}
        onChoose={(one) => setCurrentId(one?.id ?? null)}
      />
    </div>
  )
}

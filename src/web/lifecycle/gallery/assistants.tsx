import { type ReactNode, useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { AssistantOptions } from '../../chat/assistants/assistants.ts'

const anAssistant = (
  name: string,
  description: string,
  patch: Partial<ListedAssistant> = {},
): ListedAssistant => ({
  ...{ id: name, name, description, icon: null, agent_type: 'multi_turn', model_name: null },
  ...{
    temperature: null,
    status: 'published',
    shared: false,
    ...{ can_share: true, shared_by: null },
    own: true,
    built_in: false,
    can_edit: true,
    document_count: 0,
    tool_count: null,
  },
  ...{ created_at: null, updated_at: null, ...patch },
})

const few = [
  anAssistant('Procurement analyst', 'Compares offers and contracts, and names the page of every figure.'),
  anAssistant('Note de négociation', 'Rédige la note d’une page avant un rendez-vous fournisseur.', {
    status: 'draft',
  }),
  anAssistant('Researcher', 'Looks things up step by step.', { own: false, built_in: true, icon: 'search' }),
  anAssistant('Analyst', 'Works with figures.', { own: false, built_in: true, icon: 'chart-column' }),
  anAssistant('Expense policy', 'Says what may be spent on what.', {
    own: false,
    shared: true,
    can_edit: false,
  }),
]
const many = [
  ...Array.from({ length: 12 }, (_, at) => anAssistant(`Supplier file ${at + 1}`, 'Knows one supplier.')),
  ...few,
]

/** Selection of an assistant: a short list, and a long one with a search field. */
export function Assistants({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  return (
    <>
      {draw('assistants', <Choice assistants={few} />)}
      {draw('assistants-many', <Choice assistants={many} />)}
    </>
  )
}

function Choice({ assistants }: { assistants: ListedAssistant[] }) {
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

import { useState } from 'react'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { FactEditor } from './fact-editor.tsx'
import { FactRow } from './fact-row.tsx'

/** Facts in sections: those of the person, then those of each project. */
export function FactList({ facts, onDelete }: { facts: readonly Fact[]; onDelete: (fact: Fact) => void }) {
  const { t } = useTranslation('memory')
  const [editedId, setEdited] = useState<string | null>(null)
  const sections = new Map<string, Fact[]>()
  for (const fact of facts) {
    const key = fact.project?.id ?? ''
    sections.set(key, [...(sections.get(key) ?? []), fact])
  }
  return [...sections].map(([key, ofSection]) => {
    const name = ofSection[0]?.project?.name ?? t('section.you')
    return (
      <section key={key} className="grid grid-cols-1 gap-2">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="text-14 font-semibold" dir="auto">
            {name}
          </h2>
          <span className="text-12 text-ink-3">{t(key ? 'section.project_note' : 'section.you_note')}</span>
        </div>
        <ul aria-label={name} className="divide-y divide-line rounded-card border border-line">
          {ofSection.map((fact) =>
            fact.id === editedId ? (
              <FactEditor
                key={fact.id}
                fact={fact}
                onDelete={() => onDelete(fact)}
                onClose={() => setEdited(null)}
              />
            ) : (
              <FactRow
                key={fact.id}
                fact={fact}
                onEdit={() => setEdited(fact.id)}
                onDelete={() => onDelete(fact)}
              />
            ),
          )}
        </ul>
      </section>
    )
  })
}

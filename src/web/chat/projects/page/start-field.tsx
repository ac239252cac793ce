import { ArrowUp, Bot, Cpu } from 'lucide-react'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing, useEnterSends } from '../../../platform/lib/enter-key.ts'
import { modelLabel } from '../../../platform/lib/models/model-label.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { useStartInProject } from '../start-in-project.ts'

/** A field that starts a chat in the project. */
export function StartField({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const enterSends = useEnterSends()
  const { start, isStarting } = useStartInProject()
  const [text, setText] = useState('')
  const { id, name, document_count, instructions_version, assistant, model_name } = project
  const send = async () => {
    if (text.trim() && !isStarting) await start(id, text)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="rounded-[20px] border border-line-strong bg-raised px-4 pt-3 pb-2.5 focus-within:border-focus">
        <textarea
          dir="auto"
          rows={1}
          aria-label={t('start.label')}
          placeholder={t('start.placeholder', { name })}
          value={text}
          className="block max-h-60 min-h-7 w-full resize-none bg-transparent text-16 outline-none field-sizing-content"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || isComposing(event) || !enterSends) return
            event.preventDefault()
            void send()
          }}
        />
        <div className="flex items-center gap-2 pt-2">
          {assistant?.name && (
            <Badge tone="accent" icon={<Bot aria-hidden />} className="min-w-0 shrink!">
              <span className="truncate">{assistant.name}</span>
            </Badge>
          )}
          {model_name && (
            <Badge icon={<Cpu aria-hidden />} className="min-w-0 shrink!">
              <span className="truncate">{modelLabel(model_name, t)}</span>
            </Badge>
          )}
          <IconButton
            type="submit"
            name={t('start.send')}
            disabled={text.trim() === '' || isStarting}
            className="ml-auto rounded-pill! enabled:bg-accent enabled:text-accent-fg enabled:hover:bg-accent-hover! enabled:hover:text-accent-fg!"
          >
            <ArrowUp aria-hidden className="icon-18" />
          </IconButton>
        </div>
      </div>
      <p className="px-3 pt-2 text-12 text-ink-3">
        {document_count === 0
          ? t(instructions_version > 0 ? 'start.note_empty' : 'start.note_plain_empty')
          : t(instructions_version > 0 ? 'start.note' : 'start.note_plain', { count: document_count })}
      </p>
    </form>
  )
}

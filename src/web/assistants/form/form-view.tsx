import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Assistant } from '#shared/assistants/assistants.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { View } from '../../ui/view.tsx'
import { BackLink } from '../back-link.tsx'
import { OneAssistant } from '../one-assistant.tsx'
import { create, update } from '../save.ts'
import { toBody } from './draft.ts'
import { FilesSection } from './files-section.tsx'
import { PromptsSection } from './prompts-section.tsx'
import { ToolsSection } from './tools-section.tsx'
import { useDraft } from './use-draft.ts'
import { VersionsSection } from './versions-section.tsx'

const sections = ['prompts', 'files', 'tools', 'versions'] as const
type Section = (typeof sections)[number]

/** The form of a new assistant. */
export function CreateView() {
  const [section, setSection] = useState<Section>('prompts')
  return <AssistantForm assistant={null} section={section} onSection={setSection} />
}

/** The form of an assistant there is; its section stands in the address. */
export function EditView() {
  const { assistantId = '', section } = useParams({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const show = (next: Section) =>
    void navigate({
      to: '/assistant/$assistantId/edit/{-$section}',
      params: { assistantId, section: next },
      replace: true,
    })
  return (
    <OneAssistant id={assistantId} needs="edit">
      {(assistant) => (
        <AssistantForm
          key={assistant.id}
          assistant={assistant}
          section={sections.find((one) => one === section) ?? 'prompts'}
          onSection={show}
        />
      )}
    </OneAssistant>
  )
}

type AssistantFormProps = {
  assistant: Assistant | null
  section: Section
  onSection: (section: Section) => void
}

function AssistantForm({ assistant, section, onSection }: AssistantFormProps) {
  const { t } = useTranslation('assistant')
  const { draft, isChanged, change, forget } = useDraft(assistant)
  const [isIncomplete, setIncomplete] = useState(false)
  const { save, isPending } = useSave(assistant, forget)
  const submit = (status: Assistant['status']) => {
    const isComplete = draft.name.trim() !== ''
    setIncomplete(!isComplete)
    if (isComplete) save({ ...toBody(draft), status })
    else onSection('prompts')
  }
  const isDraft = assistant === null || assistant.status === 'draft'
  const shown = {
    prompts: (
      <PromptsSection {...{ assistant, draft, change }} isNameMissing={isIncomplete && !draft.name.trim()} />
    ),
    files: <FilesSection {...{ draft, change }} />,
    tools: <ToolsSection {...{ assistant, draft, change }} />,
    versions: assistant && <VersionsSection assistant={assistant} onReturned={forget} />,
  }
  return (
    <View
      title={draft.name.trim() || assistant?.name || t('new')}
      badges={
        <>
          {assistant && isDraft && <Badge tone="line">{t('draft')}</Badge>}
          {isChanged && <Badge className="max-md:hidden">{t('unsaved')}</Badge>}
        </>
      }
      actions={
        <>
          {isChanged && (
            <Button variant="ghost" disabled={isPending} onClick={forget} className="max-md:hidden">
              {t('discard')}
            </Button>
          )}
          {isDraft && (
            <Button
              busy={isPending}
              disabled={assistant !== null && !isChanged}
              onClick={() => submit('draft')}
            >
              {t('save_draft')}
            </Button>
          )}
          <Button
            variant="primary"
            data-tour="publish"
            busy={isPending}
            disabled={!isDraft && !isChanged}
            onClick={() => submit('published')}
          >
            {assistant && !isDraft ? t('save') : t(assistant ? 'publish' : 'create')}
          </Button>
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[688px] px-6 pb-16 max-md:px-4">
          <BackLink />
          <Tabs
            name={t('sections')}
            value={section}
            onValueChange={(value) => onSection(sections.find((one) => one === value) ?? 'prompts')}
            tabs={sections
              .filter((value) => shown[value])
              .map((value) => ({
                value,
                label: t(`section.${value}`),
                ...countOf(value, draft),
                content: <div className="grid grid-cols-[minmax(0,1fr)] gap-[18px] pt-5">{shown[value]}</div>,
              }))}
          />
        </div>
      </div>
    </View>
  )
}

function countOf(section: Section, { documents, tools }: { documents: string[]; tools: string[] | null }) {
  if (section === 'files') return { count: documents.length }
  return section === 'tools' && tools !== null ? { count: tools.length } : {}
}

/** Stores what the form says; a new assistant has its own address from then on. */
function useSave(assistant: Assistant | null, forget: () => void) {
  const navigate = useNavigate()
  const [body, setBody] = useState<ReturnType<typeof toBody> | null>(null)
  const save = async (wanted: ReturnType<typeof toBody>) => {
    setBody(wanted)
    try {
      const saved = await (assistant ? update(assistant.id, wanted) : create(wanted))
      forget()
      const params = { assistantId: saved.id }
      if (!assistant && saved.status === 'published')
        await navigate({ to: '/assistant/$assistantId', params, replace: true })
      else if (!assistant)
        await navigate({ to: '/assistant/$assistantId/edit/{-$section}', params, replace: true })
    } catch {
      // What went wrong was said; what was written stays.
    } finally {
      setBody(null)
    }
  }
  return { save: (wanted: ReturnType<typeof toBody>) => void save(wanted), isPending: body !== null }
}

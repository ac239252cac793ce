import { useNavigate, useParams } from '@tanstack/react-router'
import { FilePen } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { BackLink } from '../back-link.tsx'
import { OneAssistant } from '../one-assistant.tsx'
import { create, update } from '../save.ts'
import { ShareAssistantButton } from '../share-assistant.tsx'
import { keyOfOne } from '../use-assistants.ts'
import { type Draft, toBody } from './draft.ts'
import { FilesSection } from './files-section.tsx'
import { PromptsSection } from './prompts-section.tsx'
import { SavedMeanwhile } from './saved-meanwhile.tsx'
import { ToolsSection } from './tools-section.tsx'
import { endTryOfNew, TryBeside, TryButton } from './try-beside.tsx'
import { useDraft } from './use-draft.ts'
import { VersionsSection } from './versions-section.tsx'

const EmbedSection = lazy(() =>
  import('../../embeds/embeds.ts').then((file) => ({ default: file.EmbedSection })),
)
const MailSection = lazy(() =>
  import('../../assistant-mails/assistant-mails.ts').then((file) => ({ default: file.MailSection })),
)
const sections = ['prompts', 'files', 'tools', 'versions', 'mail', 'embed'] as const
type Section = (typeof sections)[number]

/** The form of a new assistant. */
export function CreateView() {
  const [section, setSection] = useState<Section>('prompts')
  return <AssistantForm assistant={null} section={section} onSection={setSection} />
}

/** The form of an existing assistant; its section is part of the address. */
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
  const mayEmbed = useIsOpen('embeds')
  const { draft, changes, isChanged, isBehind, version, change, catchUp, forget } = useDraft(assistant)
  const [isIncomplete, setIncomplete] = useState(false)
  const { save, isPending } = useSave(assistant, forget)
  const submit = (status: Assistant['status']) => {
    const isComplete = draft.name.trim() !== ''
    setIncomplete(!isComplete)
    const base = version === undefined ? {} : { version }
    if (isComplete) save({ ...toBody(draft), ...base, status })
    else onSection('prompts')
  }
  const isUnsaved = assistant === null || isChanged
  const isDraft = assistant === null || assistant.status === 'draft'
  const shown = {
    prompts: (
      <PromptsSection {...{ assistant, draft, change }} isNameMissing={isIncomplete && !draft.name.trim()} />
    ),
    files: <FilesSection {...{ draft, change }} />,
    tools: <ToolsSection {...{ assistant, draft, change }} />,
    versions: assistant && <VersionsSection assistant={assistant} onReturned={forget} />,
    mail: assistant?.can_share && (
      <Suspense fallback={<Skeleton className="h-40 rounded-card" />}>
        <MailSection assistant={assistant} />
      </Suspense>
    ),
    embed: mayEmbed && assistant?.can_share && (
      <Suspense fallback={<Skeleton className="h-14 rounded-card" />}>
        <EmbedSection assistant={assistant} />
      </Suspense>
    ),
  }
  return (
    <View
      title={draft.name.trim() || assistant?.name || t('new')}
      badges={
        <>
          {assistant && isDraft && (
            <Badge tone="line" className="max-md:hidden">
              {t('draft')}
            </Badge>
          )}
          {isChanged && <Badge className="max-md:hidden">{t('unsaved')}</Badge>}
        </>
      }
      actions={
        <>
          {assistant?.can_share && <ShareAssistantButton assistant={assistant} />}
          {isChanged && (
            <Button variant="ghost" disabled={isPending} onClick={forget} className="max-md:hidden">
              {t('discard')}
            </Button>
          )}
          {isDraft && (
            <Button
              busy={isPending}
              disabled={isBehind || (assistant !== null && !isChanged)}
              // On a phone the title needs the space, so an icon replaces the text.
              icon={<FilePen aria-hidden className="icon md:hidden" />}
              onClick={() => submit('draft')}
            >
              <span className="max-md:sr-only">{t('save_draft')}</span>
            </Button>
          )}
          <Button
            variant="primary"
            data-tour="publish"
            busy={isPending}
            disabled={isBehind || (!isDraft && !isChanged)}
            onClick={() => submit('published')}
          >
            {assistant && !isDraft ? t('save') : t(assistant ? 'publish' : 'create')}
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <div className="min-w-0 flex-1 overflow-y-auto">
          <div className="mx-auto max-w-[688px] px-6 pb-16 max-md:px-4">
            <div className="flex items-center justify-between gap-2">
              <BackLink />
              <TryButton {...{ assistant, draft, isUnsaved }} />
            </div>
            {assistant && isBehind && (
              <SavedMeanwhile
                {...{ assistant, changes, version: version ?? 0 }}
                onCatchUp={catchUp}
                onCompare={() => onSection('versions')}
              />
            )}
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
                  content: (
                    <div className="grid grid-cols-[minmax(0,1fr)] gap-[18px] pt-5">{shown[value]}</div>
                  ),
                }))}
            />
          </div>
        </div>
        <TryBeside {...{ assistant, draft, isUnsaved }} />
      </div>
    </View>
  )
}

function countOf(section: Section, { documents, workspaces, tools }: Draft) {
  if (section === 'files') return { count: documents.length + workspaces.length }
  return section === 'tools' && tools !== null ? { count: tools.length } : {}
}

type Wanted = ReturnType<typeof toBody> & { version?: number }

/** Saves the form; a new assistant then has its own address. */
function useSave(assistant: Assistant | null, forget: () => void) {
  const navigate = useNavigate()
  const [body, setBody] = useState<Wanted | null>(null)
  const save = async (wanted: Wanted) => {
    setBody(wanted)
    try {
      const saved = await (assistant ? update(assistant.id, wanted) : create(wanted))
      forget()
      if (!assistant) endTryOfNew()
      const params = { assistantId: saved.id }
      if (!assistant && saved.status === 'published')
        await navigate({ to: '/assistant/$assistantId', params, replace: true })
      else if (!assistant)
        await navigate({ to: '/assistant/$assistantId/edit/{-$section}', params, replace: true })
    } catch (error) {
      // Errors are shown and the edits stay. A concurrent save by someone else is shown.
      if (assistant && isApiError(error, 409))
        void queryClient.invalidateQueries({ queryKey: keyOfOne(assistant.id) })
    } finally {
      setBody(null)
    }
  }
  return { save: (wanted: Wanted) => void save(wanted), isPending: body !== null }
}

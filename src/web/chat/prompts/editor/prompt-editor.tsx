import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Prompt } from '#shared/chat/prompts/prompts.ts'
import { ShareButton, ShareDialog } from '../../../identity/sharing/sharing.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { View } from '../../../platform/ui/view.tsx'
import { DeletePrompt } from '../delete-prompt.tsx'
import { create, update } from '../prompt-actions.ts'
import { type Draft, problemsOf, toBody, usePromptEdits } from './prompt-form-draft.ts'
import { VersionsSection } from './prompt-history.tsx'
import { StartSection } from './start-section.tsx'
import { TextSection } from './text-section.tsx'
import { TryPrompt } from './try-prompt.tsx'

type Props = { prompt: Prompt | null; beginnings?: Partial<Draft> }

/** The form of a prompt, with a trial next to it. */
export function PromptEditor({ prompt, beginnings = {} }: Props) {
  const { t } = useTranslation('prompts')
  const { draft, change, forget, isChanged } = usePromptEdits(prompt, beginnings)
  const [section, setSection] = useState('text')
  const [isChecked, setChecked] = useState(false)
  const problems = problemsOf(draft)
  const { save, isPending, error } = useSave(prompt, draft, forget)
  const submit = () => {
    setChecked(true)
    if (problems.size === 0) save()
    else setSection('text')
  }
  const sections = {
    text: (
      <TextSection
        {...{ draft, change }}
        problems={isChecked ? problems : new Set()}
        isFromMessage={beginnings.text !== undefined}
      />
    ),
    start: <StartSection {...{ draft, change }} />,
    versions: prompt && <VersionsSection prompt={prompt} onRestored={forget} />,
  }
  return (
    <View
      title={draft.name.trim() || t('new')}
      badges={isChanged && <Badge className="max-md:hidden">{t('unsaved')}</Badge>}
      actions={
        <>
          {isChanged && (
            <Button variant="ghost" className="max-md:hidden" disabled={isPending} onClick={forget}>
              {t('discard')}
            </Button>
          )}
          {prompt?.can_share && <SharePrompt prompt={prompt} />}
          {prompt?.can_share && <MoreMenu prompt={prompt} />}
          <Button
            variant="primary"
            busy={isPending}
            disabled={prompt !== null && !isChanged}
            onClick={submit}
          >
            {t(prompt ? 'save' : 'create')}
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <div className="min-w-0 flex-1 overflow-y-auto">
          <div className="mx-auto max-w-[688px] px-6 pb-16 max-md:px-4">
            <Link
              to="/prompts"
              className="inline-flex h-11 items-center gap-1.5 text-13 text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden className="icon-14" />
              {t('back')}
            </Link>
            {error !== null && (
              <Callout tone="danger" className="mb-3" title={t('said.not_saved')}>
                {errorText(t, error)}
              </Callout>
            )}
            <Tabs
              name={t('sections')}
              value={section}
              onValueChange={setSection}
              tabs={(Object.keys(sections) as (keyof typeof sections)[])
                .filter((value) => sections[value])
                .map((value) => ({
                  value,
                  label: t(`section.${value}`),
                  content: (
                    <div className="grid grid-cols-[minmax(0,1fr)] gap-[18px] pt-5">{sections[value]}</div>
                  ),
                }))}
            />
          </div>
        </div>
        <aside
          aria-label={t('try.title')}
          className="w-95 flex-none overflow-y-auto border-l border-line bg-surface p-5 max-xl:hidden"
        >
          <TryPrompt prompt={prompt} content={toBody(draft)} isUsable={prompt !== null && !isChanged} />
        </aside>
      </div>
    </View>
  )
}

function SharePrompt({ prompt: { id, name } }: { prompt: Prompt }) {
  const { t } = useTranslation('prompts')
  return (
    <ShareButton isInBar>
      {(onClose) => (
        <ShareDialog thing={{ kind: 'prompt', id, name }} note={t('share_note')} onClose={onClose} />
      )}
    </ShareButton>
  )
}

function MoreMenu({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('prompts')
  const navigate = useNavigate()
  const [isDoomed, setDoomed] = useState(false)
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton name={t('more_of', { name: prompt.name })}>
            <Ellipsis aria-hidden className="icon" />
          </IconButton>
        }
        entries={[
          {
            label: t('common:actions.delete'),
            icon: <Trash2 aria-hidden />,
            tone: 'danger',
            onSelect: () => setDoomed(true),
          },
        ]}
      />
      <DeletePrompt
        prompt={isDoomed ? prompt : null}
        onClose={() => setDoomed(false)}
        onGone={() => void navigate({ to: '/prompts', replace: true })}
      />
    </>
  )
}

/** Saves the form; a new prompt then has its own address. */
function useSave(prompt: Prompt | null, draft: Draft, forget: () => void) {
  const { t } = useTranslation('prompts')
  const navigate = useNavigate()
  const { run, isPending, error } = useAction(async () => {
    const body = toBody(draft)
    const saved = await (prompt ? update(prompt.id, { ...body, version: prompt.version }) : create(body))
    forget()
    void toast.success(t(prompt ? 'said.saved' : 'said.created'))
    if (!prompt) await navigate({ to: '/prompts/$promptId', params: { promptId: saved.id }, replace: true })
  })
  return { save: () => void run(), isPending, error }
}

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { secretsOf } from '#shared/tools/own-tools/http-call.ts'
import type { OwnTool } from '#shared/tools/own-tools/own-tools.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useToken } from '../../../platform/lib/me/token.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { toolFailure } from '../look/tool-failure.ts'
import { AccessSection } from './access-section.tsx'
import { type Draft, startDraft, toBody } from './draft.ts'
import { GeneralSection } from './general-section.tsx'
import { InterfaceSection, type TestResult } from './interface-section.tsx'
import { create, definitionKey, loadDefinition, update } from './save.ts'
import { ShareTool } from './share-tool.tsx'
import { TestRun } from './test-run.tsx'
import { ToolsLink } from './tools-link.tsx'
import { VersionsSection } from './versions-section.tsx'

/** Form for a new tool. */
export function CreateToolView() {
  return <ToolForm own={null} />
}

/** Form for an existing own tool. */
export function EditToolView() {
  const { t } = useTranslation('own_tools')
  const { toolId = '' } = useParams({ strict: false }) as { toolId?: string }
  const token = useToken()
  const { data, error } = useQuery({
    queryKey: definitionKey(toolId),
    queryFn: ({ signal }) => loadDefinition(toolId, signal),
    enabled: token !== null,
  })
  if (data?.call) return <ToolForm key={`${toolId} ${data.tool.version}`} own={data} />
  return (
    <View title={t('tools:title')}>
      {error || data ? (
        <EmptyState
          page
          icon={<Wrench aria-hidden />}
          title={t('tools:details_failed')}
          action={
            <Link to="/tools" className={buttonLook()}>
              {t('tools:back')}
            </Link>
          }
        >
          {error ? errorText(t, error) : t('not_here')}
        </EmptyState>
      ) : (
        <Skeletons
          className="grid gap-4 px-8 py-6"
          sizes={['h-12 w-72', 'h-40 w-full max-w-[640px] rounded-card']}
        />
      )}
    </View>
  )
}

type Section = 'general' | 'access' | 'interface' | 'versions'

function ToolForm({ own }: { own: OwnTool | null }) {
  const { t } = useTranslation('own_tools')
  const [start] = useState(() => startDraft(own))
  const [draft, setDraft] = useState(start)
  const [section, setSection] = useState<Section>('general')
  const [tested, setTested] = useState<TestResult | null>(null)
  const isChanged = draft !== start
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  const { save, isPending, problem } = useSave(own, draft)
  const sections: Section[] = [
    ...(['general', 'access'] as const),
    ...(own ? (['interface'] as const) : []),
    ...(own ? (['versions'] as const) : []),
  ]
  const shown = {
    general: () => <GeneralSection {...{ draft, change }} />,
    access: () => <AccessSection {...{ draft, change, kept: own?.secrets ?? [] }} />,
    interface: () => own && <InterfaceSection tool={own.tool} tested={tested} />,
    versions: () => own && <VersionsSection tool={own.tool} />,
  }
  const counts = {
    general: undefined,
    interface: undefined,
    access: secretsOf(draft.auth).length,
    versions: own?.tool.version,
  }
  return (
    <View
      title={draft.ui_name.trim() || own?.tool.ui_name || t('new')}
      badges={
        <>
          <Badge tone="line" className="max-md:hidden">
            {t('tools:kind.api')}
          </Badge>
          {isChanged && <Badge className="max-md:hidden">{t('unsaved')}</Badge>}
        </>
      }
      actions={
        <>
          {own && <ShareTool own={own} isInBar />}
          {isChanged && (
            <Button
              variant="ghost"
              disabled={isPending}
              onClick={() => setDraft(start)}
              className="max-md:hidden"
            >
              {t('discard')}
            </Button>
          )}
          <Button variant="primary" busy={isPending} disabled={own !== null && !isChanged} onClick={save}>
            {t(own ? 'save' : 'create')}
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1 overflow-y-auto max-xl:flex-col xl:overflow-hidden">
        <div className="min-w-0 flex-1 max-xl:flex-none xl:overflow-y-auto">
          <div className="mx-auto max-w-[688px] px-6 pb-16 max-md:px-4">
            <ToolsLink toolId={own?.tool.id} />
            {problem && (
              <Callout
                tone="danger"
                className="mb-4"
                title={t(own ? 'said.update_failed' : 'said.create_failed')}
              >
                {problem}
              </Callout>
            )}
            <Tabs
              name={t('sections')}
              value={section}
              onValueChange={(value) => setSection(sections.find((one) => one === value) ?? 'general')}
              tabs={sections.map((value) => ({
                ...{ value, label: t(`section.${value}`) },
                ...(counts[value] ? { count: counts[value] } : {}),
                content: (
                  <div className="grid grid-cols-[minmax(0,1fr)] gap-[18px] pt-5">
                    {value === section && shown[value]()}
                  </div>
                ),
              }))}
            />
          </div>
        </div>
        <aside
          aria-label={t('test.title')}
          className="grid w-[400px] flex-none content-start gap-4 border-line bg-surface p-5 max-xl:w-full max-xl:border-t xl:overflow-y-auto xl:border-l"
        >
          <TestRun draft={draft} toolId={own?.tool.id ?? null} onResult={setTested} />
        </aside>
      </div>
    </View>
  )
}

/** Saves the form. A new tool then gets its own page. */
function useSave(own: OwnTool | null, draft: Draft) {
  const { t } = useTranslation('own_tools')
  const navigate = useNavigate()
  const { run, isPending, error } = useAction(
    async () => (own ? update(own.tool.id, toBody(draft)) : create(toBody(draft))),
    ({ id }) => void (own ? null : navigate({ to: '/tools/$toolId', params: { toolId: id } })),
  )
  const problem = error instanceof SyntaxError ? t('answer.no_json') : error ? toolFailure(t, error) : null
  return { save: () => void run(), isPending, problem }
}

import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { getSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { knownSession, titleOf } from '../../../runs/sessions/sessions.ts'
import { closeMove } from '../moving.ts'
import { moveChats } from '../place.ts'
import { useProjects } from '../use-projects.ts'
import { WhatChanges } from './what-changes.tsx'

/** Value of the choice that takes chats out of their project. */
const NONE = 'none'

type MoveDialogProps = { ids: readonly string[]; to?: string | undefined }

/** Moves chats into a project or out of theirs, after it says what changes for them. */
export function MoveDialog({ ids, to }: MoveDialogProps) {
  const { t } = useTranslation('projects')
  const { data: projects } = useProjects()
  const found = useChats(ids)
  const chats = found?.filter(isOwn)
  const [chosen, setChosen] = useState(to ?? '')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const target = chosen === NONE ? null : chosen
  const moved = chosen === '' ? [] : (chats ?? []).filter(({ project }) => (project?.id ?? null) !== target)
  const [first] = ids.length === 1 ? (found ?? []) : []
  const hasProject = chats?.some(({ project }) => project) ?? false
  const send = async () => {
    setBusy(true)
    try {
      await moveChats(moved, target)
      closeMove()
    } catch (failed) {
      setError(failed)
      setBusy(false)
    }
  }
  return (
    <FormDialog
      size="md"
      title={
        first ? t('move.title_named', { title: titleOf(first, t) }) : t('move.title', { count: ids.length })
      }
      send={t('move.send', { count: Math.max(1, moved.length) })}
      disabled={moved.length === 0}
      busy={isBusy}
      onSend={() => void send()}
      onClose={closeMove}
    >
      {(!projects || !chats) && <Skeletons sizes={['h-9 w-full', 'h-24 w-full']} />}
      {projects && chats && (
        <>
          <Field label={t('move.to')}>
            <Select
              autoFocus
              value={chosen}
              options={[
                { value: '', label: t('move.choose'), disabled: true },
                ...(hasProject ? [{ value: NONE, label: t('move.none') }] : []),
                ...projects.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onValueChange={setChosen}
            />
          </Field>
          {chosen !== '' && <WhatChanges chats={chats} moved={moved} to={target} />}
          {found && chats.length < found.length && (
            <Callout>{t('move.not_own', { count: found.length - chats.length })}</Callout>
          )}
          {projects.length === 0 && <Callout>{t('move.no_projects')}</Callout>}
        </>
      )}
      {error !== null && (
        <Callout tone="danger" title={t('failed.move_chats')}>
          {errorText(t, error)}
        </Callout>
      )}
    </FormDialog>
  )
}

const isOwn = ({ project }: Session) => !project?.author

/** Returns the chats in their newest state; null until all are read. Chats that are gone are left out. */
function useChats(ids: readonly string[]): Session[] | null {
  return useQueries({
    queries: ids.map((sessionId) => ({
      queryKey: ['session', sessionId],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(getSession, { params: { sessionId }, signal }),
      initialData: () => knownSession(sessionId) ?? undefined,
      retry: false,
    })),
    combine: (results) =>
      results.every(({ isPending }) => !isPending) ? results.flatMap(({ data }) => data ?? []) : null,
  })
}

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createConnection,
  type ModelConnection,
  testConnection,
  testNewConnection,
  updateConnection,
} from '#shared/models/connections/connections.ts'
import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { call } from '../../platform/lib/api/call.ts'
import {
  bodyOf,
  type ConnectionDraft,
  changesOf,
  checkDraft,
  draftOf,
  modelIdsOf,
  newDraft,
  testKindOf,
} from './connection-draft.ts'
import { offerOnly } from './model-edit.ts'
import { refetchConnections } from './use-connections.ts'

/** State of the connection form: the draft, its test before saving, the selected models, and saving. */
export function useConnectionForm(
  forms: readonly ProviderForm[],
  stored: ModelConnection | null,
  onSaved: (connection: ModelConnection) => void,
) {
  const [draft, setDraft] = useState<ConnectionDraft>(() => beginDraft(forms, stored))
  const [isChecked, setChecked] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const problems = checkDraft(
    draft,
    stored !== null && stored.keys.length > 0 && draft.form.kind === stored.kind,
  )
  const isRight = Object.keys(problems).length === 0
  const testKind = testKindOf(draft, stored)

  const test = useMutation({
    mutationFn: (tested: ConnectionDraft) =>
      testKind === 'stored' && stored
        ? call(testConnection, {
            params: { connectionId: stored.id },
            body: { model_ids: modelIdsOf(tested) },
          })
        : call(testNewConnection, { body: bodyOf(tested) }),
    onSuccess: ({ models }) => setChosen(new Set(models)),
  })
  const isTested = test.data?.ok === true && test.variables === draft
  const save = useMutation({
    mutationFn: async () => {
      const connection = stored
        ? await call(updateConnection, {
            params: { connectionId: stored.id },
            body: changesOf(draft, stored),
          })
        : await call(createConnection, { body: bodyOf(draft) })
      const refused = !stored && isTested ? offerOnly(connection.models, chosen) : {}
      if (Object.keys(refused).length === 0) return connection
      return call(updateConnection, { params: { connectionId: connection.id }, body: { models: refused } })
    },
    onSuccess: onSaved,
    onSettled: refetchConnections,
  })
  return {
    forms,
    draft,
    problems: isChecked ? problems : {},
    testKind,
    /** The stored connection leads to a server that lists no models. */
    isListless: stored !== null && !stored.lists_models,
    test,
    isTested,
    save,
    chosen,
    setChosen,
    change: (next: ConnectionDraft) => {
      save.reset()
      setDraft(next)
    },
    runTest: () => {
      setChecked(true)
      if (isRight && testKind !== 'key_needed') test.mutate(draft)
    },
    runSave: () => {
      setChecked(true)
      if (isRight && !save.isPending) save.mutate()
    },
  }
}

function beginDraft(forms: readonly ProviderForm[], stored: ModelConnection | null): ConnectionDraft {
  const form = stored ? forms.find(({ kind }) => kind === stored.kind) : forms[0]
  if (!form) throw new Error('The server sent no form of this kind.')
  return stored ? draftOf(stored, form) : newDraft(form)
}

export type ConnectionForm = ReturnType<typeof useConnectionForm>

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import {
  beginFilePick,
  endFilePick,
  type FilePick,
  getFilePick,
  listPickWays,
  type PickWay,
  takeFile,
} from '#shared/knowledge/file-picks/file-picks.ts'
import { call } from '../../platform/lib/api/call.ts'
import { addStored } from '../uploads/uploads.ts'
import { leavePick } from './pick-left.ts'

/** A chosen file. Files that were chosen on the page of their source have no name here. */
export type Chosen = { id: string; path: string; name: string }
export type Failed = Chosen & { error: unknown }
type Adding = { name: string | null; failed: Failed[] }

/** Why the person is back at the list of sources. */
type Note = 'refused' | 'failed' | 'waiting' | 'nothing'

export const useWays = () =>
  useQuery({
    queryKey: ['file-pick-ways'],
    queryFn: ({ signal }) => call(listPickWays, { signal }),
    staleTime: 60_000,
  })

/** The steps of picking files for a chat. `left` is a pick whose sign-in page the browser comes from. */
export function usePicking(sessionId: string, left: string | null, onClose: () => void) {
  const [way, setWay] = useState<PickWay | null>(null)
  const [pick, setPick] = useState<FilePick | null>(null)
  const [note, setNote] = useState<Note | null>(null)
  const [adding, setAdding] = useState<Adding | null>(null)
  const isOver = useRef(false)
  const close = () => {
    isOver.current = true
    // The sign-in ends with the dialog.
    if (pick) void call(endFilePick, { body: { pick_id: pick.id } }).catch(() => undefined)
    onClose()
  }
  const add = async (of: FilePick, files: readonly Chosen[]) => {
    const [documents, failed]: [Document[], Failed[]] = [[], []]
    for (const file of files) {
      if (isOver.current) break
      setAdding({ name: file.name, failed })
      const body = { pick_id: of.id, chat_session_id: sessionId, id: file.id, path: file.path }
      await call(takeFile, { body }).then(
        (document) => documents.push(document),
        (error) => failed.push({ ...file, error }),
      )
    }
    addStored(documents, sessionId)
    if (failed.length > 0) return setAdding({ name: null, failed })
    void call(endFilePick, { body: { pick_id: of.id } }).catch(() => undefined)
    if (!isOver.current) onClose()
  }
  const begin = useMutation({
    mutationFn: ({ way: { id }, settings }: { way: PickWay; settings: Settings }) =>
      call(beginFilePick, { body: { way: id, settings, chat_session_id: sessionId } }),
    onSuccess: ({ url, ...begun }) => {
      if (url === null) return setPick(begun)
      leavePick({ id: begun.id, sessionId })
      location.assign(url)
    },
  })
  const arrived = useQuery({
    queryKey: ['file-pick', left],
    queryFn: ({ signal }) => call(getFilePick, { query: { pick_id: left ?? '' }, signal }),
    enabled: left !== null,
    ...{ staleTime: Number.POSITIVE_INFINITY, retry: false },
  })
  const ways = useWays()
  const found = arrived.data
  const foundWay = ways.data?.items.find(({ id }) => id === found?.way)
  const resume = useEffectEvent((back: FilePick, of: PickWay) => {
    if (pick || adding) return
    if (back.state !== 'ready') return setNote(back.state)
    if (of.picks_there && back.picked.length === 0) return setNote('nothing')
    setWay(of)
    setPick(back)
    const picked = back.picked.map((id) => ({ id, path: '', name: '' }))
    if (of.picks_there) void add(back, picked)
  })
  useEffect(() => {
    if (found && foundWay) resume(found, foundWay)
  }, [found, foundWay])
  const choose = (next: PickWay | null) => {
    begin.reset()
    setNote(null)
    setWay(next)
  }
  return {
    ...{ ways, way, pick, note, adding, choose, close },
    arrivalError: arrived.error,
    begin: (settings: Settings) => way && begin.mutate({ way, settings }),
    isBeginning: begin.isPending || begin.data?.url != null,
    beginError: begin.error,
    add: (files: readonly Chosen[]) => pick && void add(pick, files),
  }
}

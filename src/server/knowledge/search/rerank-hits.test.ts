import { describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { ModelError } from '../../models/models/models.ts'
import { parseConfig } from '../../platform/config/config.ts'
import { createLog } from '../../platform/log.ts'
import type { Passage } from './passage-store.ts'
import type { Reranker } from './rerank/rerank.ts'
import { type Hit, rerankHits } from './rerank-hits.ts'

const deps = { log: createLog('silent'), config: parseConfig({ ATRIUM_LIMIT_RERANK_SECONDS: '1' }) }
const question = { text: 'why?', vector: null }

const hit = (id: string, score: number): Hit => ({
  ...{ score, distance: null, certainty: null, keyword_score: null, rerank_score: null, found_rank: 1 },
  passage: { id, document_name: 'a.txt', heading_path: [], text: id, vector: null } as unknown as Passage,
})
const hits = [hit('a', 0.9), hit('b', 0.5), hit('c', 0.1)]
const aReranker = (rate: Reranker['rate']): Reranker => ({ name: 'mine', description: '', rate })

let allow = async () => {}
const booked: unknown[] = []
const rerank = async (reranker: Reranker | null, wish = {}, signal = new AbortController().signal) => {
  const found = await rerankHits(
    deps,
    { top: 5, threshold: 0, ...wish },
    reranker,
    question,
    hits,
    () => null,
    signal,
    { allow, bill: async (model, usage) => void booked.push([model, usage]) },
  )
  return { ids: found.hits.map(({ passage }) => passage.id).join(''), reranking: found.reranking }
}

describe('rerankHits', () => {
  it('calls a paid reranker only with enough balance, and charges every call that returned usage', async () => {
    const usage = {
      input_tokens: 7,
      output_tokens: 0,
      cached_tokens: 0,
      reasoning_tokens: 0,
      estimated: false,
    }
    const paid: Reranker = {
      ...aReranker(async (_, all, __, bill) => {
        bill?.(usage)
        return all.map(({ score }) => 1 - score)
      }),
      paid: 'near/mine',
    }
    expect((await rerank(paid)).ids).toBe('cba')
    expect(booked.splice(0)).toEqual([['near/mine', usage]])
    allow = async () => {
      throw new AppError('insufficient_balance', 'Insufficient balance.')
    }
    const { ids, reranking } = await rerank(paid)
    allow = async () => {}
    const { status, detail, skipped_because } = reranking
    expect([ids, status, detail]).toEqual(['abc', 'skipped', 'Insufficient balance.'])
    expect(skipped_because).toBe('unpaid')
    const nonsense: Reranker['rate'] = async (_, __, ___, bill) => {
      bill?.(usage)
      throw new ModelError('invalid_answer', 'Nonsense.')
    }
    expect((await rerank({ ...paid, rate: nonsense })).reranking.status).toBe('skipped')
    expect(booked.splice(0)).toEqual([['near/mine', usage]])
  })

  it('orders hits by the reranker and drops those below the threshold', async () => {
    const reversed = aReranker(async (_, all) => all.map(({ score }) => 1 - score))
    expect(await rerank(reversed)).toMatchObject({
      ids: 'cba',
      reranking: { status: 'done', reranker: 'mine', detail: null, original: 3, reranked: 3 },
    })
    expect((await rerank(reversed, { threshold: 0.4, top: 1 })).ids).toBe('c')
  })

  it('keeps the order of the search without a reranker', async () => {
    expect(await rerank(null, { threshold: 0.4 })).toMatchObject({
      ids: 'ab',
      reranking: { status: 'off', reranker: null },
    })
  })

  it('keeps the order of the search when the reranker fails, and reports why', async () => {
    const failing = aReranker(async () => {
      throw new ModelError('unreachable', 'The model provider cannot be reached.')
    })
    const broken = aReranker(async () => {
      throw new TypeError('x is not a function')
    })
    expect(await rerank(failing)).toMatchObject({
      ids: 'abc',
      reranking: {
        ...{ status: 'skipped', skipped_because: 'refused' },
        detail: 'The model provider cannot be reached.',
      },
    })
    const { reranking } = await rerank(broken)
    expect([reranking.detail, reranking.skipped_because]).toEqual(['It failed.', 'failed'])
  })

  it('keeps the order of the search when the reranker hangs, even if it ignores the signal', async () => {
    const deaf = aReranker(() => new Promise(() => {}))
    const { ids, reranking } = await rerank(deaf)
    expect([ids, reranking.status, reranking.detail]).toEqual([
      'abc',
      'skipped',
      'It did not answer within 1 s.',
    ])
  })

  it('rejects when the caller aborts', async () => {
    const stop = new AbortController()
    const waiting = rerank(
      aReranker(async (_, __, signal) => {
        stop.abort(new Error('enough'))
        signal.throwIfAborted()
        return []
      }),
      {},
      stop.signal,
    )
    await expect(waiting).rejects.toThrow('enough')
  })
})

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Metric,
  MissingTable,
  openVectors,
  type Row,
  type TableSpec,
  type Target,
  type Vectors,
  type VectorTable,
  WrongVector,
} from './vectors.ts'

const target = (metric: Metric, more: Partial<Target> = {}): Target => ({
  ...{ name: metric.replace('-', '_'), dimensions: 8, metric, isMulti: false },
  ...more,
})
const specOf = (...targets: Target[]): TableSpec => ({ targets, index: 'hnsw' })

let folder: string
let vectors: Vectors
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-vectors-'))
  vectors = openVectors({ location: folder })
})
afterAll(() => {
  vectors.close()
  rmSync(folder, { recursive: true, force: true })
})

const aRow = (given: Partial<Row> = {}): Row => ({
  ...{
    id: randomUUID(),
    reading_id: 'r',
    document_id: 'd',
    user_id: 'u',
    company_id: null,
    shared_access: [],
  },
  ...{ chunk_type: 'paragraph', file_name: 'a.pdf', file_type: 'pdf', page: 1, position: 0, created_at: 1 },
  ...{ language: 'en', title: '', text: 'words', metadata: {}, vectors: {} },
  ...given,
})

async function aTable(spec: TableSpec = specOf(), rows: Row[] = []): Promise<VectorTable> {
  const name = `c_${randomUUID()}`
  await vectors.create(name, spec)
  const table = vectors.table(name, spec)
  await table.put(rows)
  return table
}

const everything = { and: [] }
const words = (any: string, more = {}) => ({ any, phrases: [] as string[], without: [] as string[], ...more })
const idsOf = (found: { id: string }[]) => found.map(({ id }) => id)

describe('nearest rows', () => {
  const random = (seed: number) => {
    let state = seed
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state / 2 ** 31 - 0.5
    }
  }
  const next = random(7)
  const vector = () => Array.from({ length: 8 }, next)
  const sum = (a: number[], b: number[], of: (a: number, b: number) => number) =>
    a.reduce((total, value, at) => total + of(value, b[at] ?? 0), 0)
  const dot = (a: number[], b: number[]) => sum(a, b, (x, y) => x * y)
  const truths: Record<Metric, (a: number[], b: number[]) => number> = {
    cosine: (a, b) => 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
    dot: (a, b) => 1 - dot(a, b),
    'l2-squared': (a, b) => sum(a, b, (x, y) => (x - y) ** 2),
    l1: (a, b) => sum(a, b, (x, y) => Math.abs(x - y)),
    hamming: (a, b) => sum(a, b, (x, y) => Number(x > 0 !== y > 0)),
  }

  it.each(Object.keys(truths) as Metric[])('by %s have the smallest distance', async (metric) => {
    const one = target(metric)
    const rows = Array.from({ length: 60 }, () => aRow({ vectors: { [one.name]: vector() } }))
    const table = await aTable(specOf(one), rows)
    const wanted = vector()
    const truth = rows
      .map(({ id, vectors: { [one.name]: v } }) => ({ id, distance: truths[metric](wanted, v as number[]) }))
      .sort((a, b) => a.distance - b.distance)
    const found = await table.near(one, [wanted], { filter: everything, limit: 10 })
    for (const [at, { distance }] of found.entries())
      expect(distance).toBeCloseTo(truth[at]?.distance ?? NaN, 4)
    expect(found).toHaveLength(10)
    const few = idsOf(truth.slice(-3))
    const far = await table.distances(one, [wanted], few)
    expect(idsOf(far).sort()).toEqual(few.sort())
  })

  it('of a multi-vector target are those whose tokens match best', async () => {
    const tokens = target('cosine', { name: 'tokens', isMulti: true })
    const unit = (at: number) => Array.from({ length: 8 }, (_, i) => Number(i === at))
    const rows = [
      aRow({ id: 'both', vectors: { tokens: [unit(0), unit(1)] } }),
      aRow({ id: 'one', vectors: { tokens: [unit(0), unit(5)] } }),
      aRow({ id: 'none', vectors: { tokens: [unit(6)] } }),
    ]
    const table = await aTable(specOf(tokens), rows)
    const found = await table.near(tokens, [unit(0), unit(1)], { filter: everything, limit: 3 })
    expect(idsOf(found)).toEqual(['both', 'one', 'none'])
  })

  it.each([
    ['too short', [1, 2, 3], 'The vector cosine has 8 numbers, not 3.'],
    ['all zeros', new Array(8).fill(0), 'The vector cosine is all zeros.'],
    ['no numbers', [...new Array(7).fill(1), Number.NaN], 'The vector cosine holds what is no number.'],
  ])(
    'are still found after an invalid vector (%s) was rejected on write and search',
    async (_, wrong, sentence) => {
      const one = target('cosine')
      const table = await aTable(specOf(one))
      const good = table.put([aRow({ id: 'good', vectors: { cosine: new Array(8).fill(1) } })])
      await expect(table.put([aRow({ vectors: { cosine: wrong } })])).rejects.toThrow(
        new WrongVector(sentence),
      )
      await good
      await expect(table.near(one, [wrong], { filter: everything, limit: 1 })).rejects.toThrow(sentence)
      expect(await table.count()).toBe(1)
    },
  )
})

describe('keyword search', () => {
  it('analyses each language by its own rules, before any maintenance', async () => {
    const table = await aTable(specOf(), [
      aRow({ id: 'en', text: 'The engines were running' }),
      aRow({ id: 'fr', language: 'fr', text: "L'employeur mangeait à l'école" }),
      aRow({ id: 'xx', language: 'xx', text: 'Die Häuser' }),
      aRow({ id: 'zh', language: 'xx', text: '我们使用中文分词技术' }),
    ])
    const find = async (any: string) =>
      idsOf(await table.keyword(words(any), { filter: everything, limit: 5 }))
    expect(await find('run engine')).toEqual(['en'])
    expect(await find('employeur mange ecole')).toEqual(['fr'])
    expect(await find('häuser')).toEqual(['xx'])
    expect(await find('技术')).toEqual(['zh'])
    expect(await find('the')).toEqual([])
    expect(await find('"; drop table (*) ?')).toEqual([])
  })

  it('ignores function words if a question has other words', async () => {
    const table = await aTable(specOf(), [
      aRow({ id: 'asked', text: 'Solar panels lose power in the cold' }),
      aRow({ id: 'chatter', text: 'What can I do and how should we have done what others could do' }),
      aRow({ id: 'demandé', language: 'fr', text: 'Les panneaux perdent de la puissance' }),
      aRow({ id: 'bavardage', language: 'fr', text: 'Comment pourquoi lorsque cela serait selon vous' }),
      aRow({ id: 'health', text: 'Guidelines of the WHO' }),
    ])
    const find = async (any: string) =>
      idsOf(await table.keyword(words(any), { filter: everything, limit: 5 }))
    expect(await find('What can I do, and how, with solar panels?')).toEqual(['asked'])
    expect(await find('Comment et pourquoi selon vous les panneaux ?')).toEqual(['demandé'])
    expect(await find('what does the WHO say')).toEqual(['health'])
    expect(await find('how should others')).toEqual(['chatter'])
  })

  it('gives words in the title more weight', async () => {
    const table = await aTable(specOf(), [
      aRow({ id: 'text', title: 'Other things', text: 'The budget of the year' }),
      aRow({ id: 'title', title: 'Budget things', text: 'The table of the year' }),
    ])
    const found = await table.keyword(words('budget'), { filter: everything, limit: 5 })
    expect(idsOf(found)).toEqual(['title', 'text'])
  })

  it('matches phrases exactly and respects exclusions', async () => {
    const name = `c_${randomUUID()}`
    await vectors.create(name, specOf())
    const table = vectors.table(name, specOf())
    await table.put([
      aRow({ id: 'together', text: 'a fixed term contract of work' }),
      aRow({ id: 'apart', text: 'a contract with a fixed date, a term' }),
      aRow({ id: 'other', text: 'a fixed term contract of rent' }),
    ])
    await vectors.tend(name, specOf(), { isQuiet: true })
    const phrase = words('', { phrases: ['fixed term contract'] })
    const find = async (query: typeof phrase) =>
      idsOf(await table.keyword(query, { filter: everything, limit: 5 })).sort()
    expect(await find(phrase)).toEqual(['other', 'together'])
    expect(await find({ ...phrase, without: ['rent'] })).toEqual(['together'])
  })
})

describe('filter', () => {
  it('applies before the search, and never parses its values as SQL', async () => {
    const one = target('cosine')
    const near = new Array(8).fill(1)
    const far = [1, ...new Array(7).fill(-1)]
    const mine = { user_id: "o'hara", text: 'mine words', vectors: { cosine: far } }
    const table = await aTable(specOf(one), [
      ...Array.from({ length: 40 }, () => aRow({ user_id: 'stranger', vectors: { cosine: near } })),
      aRow({ id: 'own', ...mine }),
      aRow({ id: 'shared', ...mine, user_id: 'stranger', shared_access: ["o'hara"] }),
    ])
    const filter = {
      or: [
        { column: 'user_id', equals: "o'hara" },
        { column: 'shared_access', has: "o'hara" },
      ],
    }
    expect(idsOf(await table.near(one, [near], { filter, limit: 10 })).sort()).toEqual(['own', 'shared'])
    expect(idsOf(await table.keyword(words('words'), { filter, limit: 10 })).sort()).toEqual([
      'own',
      'shared',
    ])
    expect(await table.count({ column: 'user_id', equals: "x' OR '1'='1" })).toBe(0)
    expect(await table.count({ not: filter })).toBe(40)
    expect(await table.count({ column: 'id', in: [] })).toBe(0)
    await expect(table.count({ column: 'user_id) OR (TRUE', equals: 1 })).rejects.toThrow('no such column')
  })
})

describe('vector table', () => {
  it('stores one row per id under concurrent writes', async () => {
    const name = `c_${randomUUID()}`
    await vectors.create(name, specOf())
    const others = Array.from({ length: 6 }, () => openVectors({ location: folder }))
    const writes = others.flatMap((other) => {
      const table = other.table(name, specOf())
      return [
        table.put([aRow({ id: 'same' })]),
        table.put([aRow({ id: 'same' }), aRow({ id: 'same', text: 'last' })]),
      ]
    })
    await Promise.all(writes)
    expect(await vectors.table(name, specOf()).count()).toBe(1)
    for (const other of others) other.close()
  })

  it('is read in id order from any id, with vectors on request', async () => {
    const one = target('cosine')
    const rows = ['c', 'a', 'd', 'b'].map((id) =>
      aRow({ id, metadata: { place: id }, vectors: { cosine: new Array(8).fill(0.5) } }),
    )
    const table = await aTable(specOf(one), rows)
    const first = await table.read({ limit: 2 })
    expect(first.map(({ id, metadata, vectors: v }) => [id, metadata, v])).toEqual([
      ['a', { place: 'a' }, {}],
      ['b', { place: 'b' }, {}],
    ])
    const rest = await table.read({ after: 'b', limit: 9, withVectors: true })
    expect(rest.map(({ id, vectors: { cosine } }) => [id, cosine])).toEqual([
      ['c', new Array(8).fill(0.5)],
      ['d', new Array(8).fill(0.5)],
    ])
    expect(await table.remove({ column: 'id', in: ['a', 'd'] })).toBe(2)
    expect(idsOf(await table.read({ limit: 9 }))).toEqual(['b', 'c'])
    expect([...(await table.countByReading())]).toEqual([['r', 2]])
  })

  it('is missing after a drop, including one by another process', async () => {
    const name = `c_${randomUUID()}`
    await vectors.create(name, specOf())
    const other = openVectors({ location: folder })
    await other.table(name, specOf()).put([aRow()])
    expect(await vectors.names()).toContain(name)
    expect([await vectors.drop(name), await vectors.drop(name)]).toEqual([true, false])
    await expect(vectors.table(name, specOf()).count()).rejects.toThrow(MissingTable)
    await expect(other.table(name, specOf()).count()).rejects.toThrow()
    other.close()
  })
})

import { expect, it } from 'vitest'
import { openNumbered } from './numbered-list.ts'

const more = { hasMore: true, mayRestart: true }
const ids = (...given: string[]) => given.map((id) => ({ id }))

it('continues a list behind its last entry', () => {
  const first = openNumbered(null).accept('host', ids('a', 'b'), more)
  const second = openNumbered(first.next)
  expect(second.start).toBe(1)
  const last = second.accept('host', ids('b', 'c'), { ...more, hasMore: false })
  expect(last).toEqual({ fresh: ids('c'), next: null })
})

it.each([[[]], [['b']]])('fails when a page with %j as its entries says that there are more', (given) => {
  const { next } = openNumbered(null).accept('host', ids('a', 'b'), more)
  const accept = () => openNumbered(next).accept('host', ids(...given), { ...more, mayRestart: false })
  expect(accept).toThrow('host does not continue its list.')
  expect(() => openNumbered(null).accept('host', [], more)).toThrow('host does not continue its list.')
})

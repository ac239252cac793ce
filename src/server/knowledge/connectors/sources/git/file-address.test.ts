import { expect, it } from 'vitest'
import { webAddressOf } from './file-address.ts'

it.each([
  ['https://github.com/a/b', 'https://github.com/a/b/blob/feature/x/d%20%C3%A9/f%23.md'],
  [
    'https://gitlab.example.com/a/g/b.git',
    'https://gitlab.example.com/a/g/b/-/blob/feature/x/d%20%C3%A9/f%23.md',
  ],
  ['https://bitbucket.org/a/b.git', 'https://bitbucket.org/a/b/src/feature/x/d%20%C3%A9/f%23.md'],
  ['https://codeberg.org/a/b', 'https://codeberg.org/a/b/src/branch/feature/x/d%20%C3%A9/f%23.md'],
  ['https://git.example.com/a/b', null],
])('links a file of %s to its page', (repository, page) => {
  expect(webAddressOf(repository, 'feature/x', 'd é/f#.md')).toBe(page)
})

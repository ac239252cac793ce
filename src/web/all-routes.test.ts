import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { signedInRoutes } from '#tests/all-routes.ts'

it('every page without a required parameter is on the list that journeys walk', () => {
  const source = readFileSync('src/web/routes.tsx', 'utf8')
  const paths = Array.from(source.matchAll(/viewRoute\('([^']+)'/g), ([, path = '']) =>
    path.replace(/\/\{-\$\w+\}$/, ''),
  )
  const pages = paths.filter((path) => !path.includes('$'))
  expect(pages.length).toBeGreaterThan(15)
  expect(pages.filter((path) => !signedInRoutes.includes(path))).toEqual([])
})

import { expect, it } from 'vitest'
import { Origin, originOf } from './origin.ts'

it.each([
  ['https://intranet.example/news?x=1', 'https://intranet.example'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['https://Häuser.example', 'https://xn--huser-gra.example'],
  ['https://a.example:443/', 'https://a.example'],
  ['javascript:alert(1)', null],
  ['https://[::1]', null],
  ['intranet', null],
])('reads the site of %s as %s', (address, site) => {
  expect(originOf(address)).toBe(site)
})

it('rejects anything that is not a bare site, as it could alter a content security policy', () => {
  const isOne = (text: string) => Origin.safeParse(text).success
  expect(['https://a.example', 'http://10.0.0.1:81'].filter(isOne)).toHaveLength(2)
  const others = [
    'https://a.example/',
    'https://*.example',
    '*',
    "https://a.example 'self'",
    'https://a.example;',
  ]
  expect(others.filter(isOne)).toEqual([])
})

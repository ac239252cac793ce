import { expect, it } from 'vitest'
import { withoutMarkup } from './without-markup.ts'

it.each([
  ['A["<img src=x onerror=alert(1)>"]', 'A["‹img src=x onerror=alert(1)>"]'],
  ['A["</p><script>alert(1)</script>"]', 'A["‹/p>‹script>alert(1)‹/script>"]'],
  ['A["<<img src=x onerror=alert(1)>>"]', 'A["<‹img src=x onerror=alert(1)>>"]'],
  ['A["<!--"]', 'A["‹!--"]'],
  ['A["#lt;img#gt;"]', 'A["‹img#gt;"]'],
  ['A["&lt;img &#60;b &#x3C;i #60;u"]', 'A["‹img ‹b ‹i ‹u"]'],
  ['A["<br onload=alert(1)>"]', 'A["‹br onload=alert(1)>"]'],
])('%s is harmless', (code, harmless) => {
  expect(withoutMarkup(code)).toBe(harmless)
})

it.each([
  'A["one<br>two<br/>three<br />"]',
  'class Shape {\n  <<interface>>\n}',
  'Animal <|-- Duck',
  'A <--> B',
  'A["5 < 6"]',
  'style A fill:#60a5fa',
])('%s is unchanged', (code) => {
  expect(withoutMarkup(code)).toBe(code)
})

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContext } from '../support/browser.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

const ANSWER = `## عنوان عربي

مرحبا بالعالم، هذا نص عربي مع كلمة English في الوسط (مثال). ثبّت \`npm install\` و $x^2$.

1. عنصر أول.
2. عنصر ثان!
   - English item

> اقتباس قصير.

| الاسم | السعر |
|---|---|
| سارة | 12 |

\`\`\`js
const text = 'مرحبا'
\`\`\`

שלום עולם.

- [x] بند منجز

**「重要」**です。这是**“重点”**内容。**注意：**请看。**참고(중요)**는 여기.
`
const QUESTION = 'مرحبا، كيف الحال؟'

let journey: Journey
let token: string
let path: string
beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('dora')
  journey.model.always([says(ANSWER)])
  const page = await journey.open('/chat', { token })
  await page.getByRole('textbox', { name: 'Message' }).fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.locator('.transcript blockquote').first().waitFor()
  await page.getByRole('button', { name: 'Copy answer with its formatting' }).waitFor()
  path = new URL(page.url()).pathname
  await page.context().close()
})
afterAll(() => journey.close())

const directionOf = (page: Page, selector: string) =>
  page.evaluate<string[]>(
    `Array.from(document.querySelectorAll('.transcript ${selector}'), (found) => getComputedStyle(found).direction)`,
  )

const computed = (found: Locator): Promise<string> =>
  found.evaluate(Function('found', 'return getComputedStyle(found).direction') as () => string)

describe('right-to-left text', () => {
  it('is aligned right to left in an answer, a question, a title and the composer, except for code', async () => {
    const page = await journey.open(path, { token })
    await page.locator('.transcript blockquote').first().waitFor()
    for (const selector of ['h4', 'ol', 'ol > li', 'blockquote', 'th', '.md-table', '.md-task'])
      expect(new Set(await directionOf(page, selector))).toEqual(new Set(['rtl']))
    expect(await directionOf(page, 'ol ul > li')).toEqual(['ltr'])
    expect(new Set(await directionOf(page, 'p code, .md-code pre, .md-math'))).toEqual(new Set(['ltr']))
    const question = page.locator('.transcript article').first().getByText(QUESTION)
    expect(await computed(question)).toBe('rtl')
    const title = page.locator('nav [role=listitem] [dir=auto]').first()
    expect(await computed(title)).toBe('rtl')
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('שלום')
    expect(await computed(field)).toBe('rtl')
    expect(journey.errors).toEqual([])
    await page.context().close()
  })
})

describe('emphasis next to CJK punctuation', () => {
  it('is closed in an answer', async () => {
    const page = await journey.open(path, { token })
    await page.locator('.transcript blockquote').first().waitFor()
    const strong = await page.locator('.transcript strong').allTextContents()
    expect(strong).toEqual(['「重要」', '“重点”', '注意：', '참고(중요)'])
    await page.context().close()
  })
})

describe('touch keyboard', () => {
  it('starts a new line with Enter, and sends with the button', async () => {
    const context = await openContext(journey.browser, { url: journey.url, token, width: 390, height: 800 })
    const { cookies } = await context.storageState()
    const storage = await context.storageState()
    const phone = await journey.browser.newContext({
      ...{ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, baseURL: journey.url },
      storageState: { cookies, origins: storage.origins },
    })
    await phone.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`)
    const page = await phone.newPage()
    await page.goto('/chat')
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.tap()
    expect(await field.getAttribute('enterkeyhint')).toBe('enter')
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await page.keyboard.type('two')
    expect(await field.inputValue()).toBe('one\ntwo')
    await page.getByRole('button', { name: 'Send' }).tap()
    await page.locator('.transcript article').first().waitFor()
    expect(await field.inputValue()).toBe('')
    await context.close()
    await phone.close()
  })
})

const SHOTS = process.env.SHOTS_FOLDER
describe.runIf(SHOTS)('screenshots', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s %i', async (theme, width) => {
    const page = await journey.open(path, { token, theme, width, height: 1500 })
    await page.locator('.transcript blockquote').first().waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('שלום עולם!')
    await page.waitForTimeout(1000)
    await page.screenshot({ path: `${SHOTS}/rtl-${theme}-${width}.png` })
    await page.emulateMedia({ media: 'print' })
    await page.waitForTimeout(500)
    await page.screenshot({ path: `${SHOTS}/print-${theme}-${width}.png` })
    await page.context().close()
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { htmlOfBlocks } from './conformance.ts'
import { createDocument, parseMarkdown } from './document.ts'
import { loadRepair } from './repair.ts'

beforeAll(loadRepair)

const html = (text: string) => htmlOfBlocks(parseMarkdown(text)).replace(/^<p>|<\/p>$/g, '')

describe('emphasis in scripts without spaces', () => {
  it.each([
    ['**「重要」**です。', '<strong>「重要」</strong>です。'],
    ['这是**“重点”**内容。', '这是<strong>“重点”</strong>内容。'],
    ['**注意：**请看。', '<strong>注意：</strong>请看。'],
    ['**価格(税込)**は100円。', '<strong>価格(税込)</strong>は100円。'],
    ['**참고(중요)**는 여기.', '<strong>참고(중요)</strong>는 여기.'],
    ['这是**加粗（重点）**文字。*斜体。*后面', '这是<strong>加粗（重点）</strong>文字。<em>斜体。</em>后面'],
    ['**「A」**、**「B」**と**C。**', '<strong>「A」</strong>、<strong>「B」</strong>と<strong>C。</strong>'],
    ['「**太字**」と言う。**강조**입니다.', '「<strong>太字</strong>」と言う。<strong>강조</strong>입니다.'],
    ['**50%**off. 「**太字**」と', '**50%**off. 「<strong>太字</strong>」と'],
    ['価格は***$100***です', '価格は<em><strong>$100</strong></em>です'],
    ['これは~~「古い」~~です。', 'これは<del>「古い」</del>です。'],
    ['คือ**"สำคัญ"**มาก', 'คือ<strong>&quot;สำคัญ&quot;</strong>มาก'],
    ['**(a)**𠮷野', '<strong>(a)</strong>𠮷野'],
    ['𠮷**(a)**', '𠮷<strong>(a)</strong>'],
    ['**⚠️**注意。是**⚠️注意：**请', '<strong>⚠️</strong>注意。是<strong>⚠️注意：</strong>请'],
    [
      '日本**[链接](https://a.example)**です',
      '日本<strong><a href="https://a.example">链接</a></strong>です',
    ],
    ['使用**`code`**命令', '使用<strong><code>code</code></strong>命令'],
  ])('closes %s', (text, expected) => expect(html(text)).toBe(expected))

  it.each([
    ['a**"foo"**b', 'a**&quot;foo&quot;**b'],
    ['foo *"bar"* foo', 'foo <em>&quot;bar&quot;</em> foo'],
    ['2*3*4 = 24', '2<em>3</em>4 = 24'],
    ['スペース ** 重要 ** です', 'スペース ** 重要 ** です'],
    ['これは__(重要)__です', 'これは__(重要)__です'],
  ])('keeps the rules of CommonMark in %s', (text, expected) => expect(html(text)).toBe(expected))

  it('renders every prefix of a growing text like its whole', () => {
    const text = '**「重要」**です。这是**“重点”**内容。\n\n- **注意：**请看\n'
    const document = createDocument()
    for (let end = 1; end < text.length; end += 1) document.update(text.slice(0, end), false)
    expect(htmlOfBlocks(document.update(text, true))).toBe(htmlOfBlocks(parseMarkdown(text)))
    const open = createDocument().update('**「重要」**です。这是**“重', false)
    expect(htmlOfBlocks(open)).toBe('<p><strong>「重要」</strong>です。这是<strong>“重</strong></p>')
  })
})

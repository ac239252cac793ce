import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { SlashMenu } from './slash-menu.tsx'

afterEach(leavePage)
// jsdom has no layout.
Element.prototype.scrollIntoView ??= () => undefined

const prompt = (id: string, name: string) => ({
  id,
  name,
  command: name.toLowerCase(),
  description: '',
  text: name,
  fields: [],
})
const letter = prompt('p1', 'Letter')
const report = prompt('p2', 'Report')

function Field({ onChoose }: { onChoose: (id: string) => void }) {
  const [words, setWords] = useState('')
  const keys = useRef<Parameters<typeof SlashMenu>[0]['keys']['current']>(null)
  return (
    <>
      <input
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => keys.current?.(event)}
      />
      <SlashMenu
        listId="l"
        {...{ words, keys, onChoose }}
        onActive={() => undefined}
        onClose={() => undefined}
      />
    </>
  )
}

it('chooses the prompt of what was typed when Enter comes before the results', async () => {
  const onChoose = vi.fn()
  await renderPage(<Field onChoose={onChoose} />, {
    answers: {
      'GET /prompts': async ({ query }: { query: URLSearchParams }) => {
        const q = query.get('q')
        if (q) await new Promise((resolve) => setTimeout(resolve, 100))
        const items = q === null ? [letter, report] : q === 'rep' ? [report] : [letter]
        return { items, total: items.length }
      },
    },
  })
  await screen.findByText('Letter')
  await userEvent.type(screen.getByRole('textbox'), 'rep{Enter}')
  await waitFor(() => expect(onChoose).toHaveBeenCalledExactlyOnceWith('p2'))
})

import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { ToastHost } from './toast-host.tsx'
import { toast } from './toasts.ts'

beforeAll(() => startTexts('en'))
afterEach(async () => {
  const { toast: library } = await import('react-toastify/unstyled')
  act(() => {
    library.dismiss()
  })
  cleanup()
})

const bar = () => document.querySelector<HTMLElement>('.Toastify__progress-bar--animated')

describe('toasts', () => {
  it('are shown top right, one at a time: the newest replaces the last; a click dismisses [ER-08]', async () => {
    render(<ToastHost />)
    await act(() => toast.success('Saved'))
    await screen.findByText('Saved')
    await act(() => toast.info('Second'))
    await act(() => toast.error('Third'))
    const third = await screen.findByText('Third')
    expect(document.querySelectorAll('.Toastify__toast')).toHaveLength(1)
    expect(screen.queryByText(/Saved|Second/)).toBeNull()
    expect(document.querySelector('.Toastify__toast-container--top-right')).not.toBeNull()
    await userEvent.click(third)
    // jsdom runs no animations, but the end of one removes the toast.
    act(
      () =>
        void document
          .querySelector('.toast-out')
          ?.dispatchEvent(new Event('animationend', { bubbles: true })),
    )
    await waitFor(() => expect(screen.queryByText(/Saved|Second|Third/)).toBeNull())
  })

  it('stay 3 s, errors 5 s [ER-08, G-54]', async () => {
    render(<ToastHost />)
    await act(() => toast.success('Three seconds'))
    await screen.findByText('Three seconds')
    expect(bar()?.style.animationDuration).toBe('3000ms')
    cleanup()
    render(<ToastHost />)
    await act(() => toast.error('Five seconds'))
    await screen.findByText('Five seconds')
    const bars = [...document.querySelectorAll<HTMLElement>('.Toastify__progress-bar--animated')]
    expect(bars.map((element) => element.style.animationDuration)).toContain('5000ms')
  })

  it('are replaced immediately [MO-03, ER-08]', async () => {
    render(<ToastHost />)
    await act(() => toast.info('Switching to small'))
    await screen.findByText('Switching to small')
    await act(() => toast.success('Switched to small'))
    await screen.findByText('Switched to small')
    expect(screen.queryByText('Switching to small')).toBeNull()
    expect(document.querySelectorAll('.Toastify__toast')).toHaveLength(1)
    expect(document.querySelector('.Toastify__toast--success')).not.toBeNull()
  })

  it('show only the last one if the container loads late [MO-03]', async () => {
    await toast.info('Switching to large')
    await toast.success('Switched to large')
    render(<ToastHost />)
    await screen.findByText('Switched to large')
    expect(screen.queryByText('Switching to large')).toBeNull()
  })

  it('announce an error immediately, anything else politely [ER-08]', async () => {
    render(<ToastHost />)
    await act(() => toast.error('It failed'))
    await screen.findByText('It failed')
    expect(screen.getByRole('alert').textContent).toContain('It failed')
  })
})

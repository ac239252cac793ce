import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { Input, PasswordInput } from './input.tsx'
import { ConfirmDialog } from './overlays/confirm-dialog.tsx'
import { Dialog } from './overlays/dialog.tsx'
import { ImageOverlay } from './overlays/image-overlay.tsx'
import { ContextMenu, Menu } from './overlays/menu.tsx'
import { Popover } from './overlays/popover.tsx'
import { TooltipLayer } from './overlays/tooltip-layer.tsx'
import { Loader } from './states/loader.tsx'

beforeAll(() => startTexts('en'))
afterEach(cleanup)
const user = userEvent.setup()

function Page({ onConfirm, tone }: { onConfirm: () => void; tone?: 'primary' }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Ask</Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Delete 3 documents?"
        message="They leave this workspace."
        confirmLabel="Delete"
        cancelLabel="Keep"
        onConfirm={onConfirm}
        {...(tone ? { tone } : {})}
      />
    </>
  )
}

describe('buttons', () => {
  it('give an icon button a name', () => {
    render(<IconButton name="Copy">x</IconButton>)
    expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy()
  })

  it('keep the focus and do nothing while busy', async () => {
    const onClick = vi.fn()
    render(
      <Button busy onClick={onClick}>
        Save
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Save' })
    await user.click(button)
    expect(onClick).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(button)
    expect(button.getAttribute('aria-busy')).toBe('true')
  })
})

describe('fields', () => {
  it('ties label, error and control together', () => {
    render(
      <Field label="E-mail" hint="Full address" error="Enter a full address">
        <Input />
      </Field>,
    )
    const input = screen.getByLabelText('E-mail')
    const line = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(line?.textContent).toBe('Enter a full address')
  })

  it('show a password and hide it again', async () => {
    render(
      <Field label="Password">
        <PasswordInput defaultValue="secret" />
      </Field>,
    )
    const input = screen.getByLabelText('Password')
    expect(input.getAttribute('type')).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(input.getAttribute('type')).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(input.getAttribute('type')).toBe('password')
  })
})

describe('confirm dialog', () => {
  it('takes title, message and both labels; danger is the default [SH-25]', async () => {
    const onConfirm = vi.fn()
    render(<Page onConfirm={onConfirm} />)
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete 3 documents?' })
    expect(dialog.textContent).toContain('They leave this workspace.')
    const confirm = screen.getByRole('button', { name: 'Delete' })
    expect(confirm.className).toContain('bg-danger')
    await user.click(confirm)
    expect(onConfirm).toHaveBeenCalledOnce()
  })

  it('focuses the answer that changes nothing [SH-25]', async () => {
    render(<Page onConfirm={() => undefined} />)
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    const safe = await screen.findByRole('button', { name: 'Keep' })
    await waitFor(() => expect(document.activeElement).toBe(safe))
  })

  it('closes with the cancel label, and restores the focus [SH-25]', async () => {
    const onConfirm = vi.fn()
    render(<Page onConfirm={onConfirm} tone="primary" />)
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    expect((await screen.findByRole('button', { name: 'Delete' })).className).toContain('bg-accent')
    await user.click(screen.getByRole('button', { name: 'Keep' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(onConfirm).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ask' }))
  })
})

describe('image overlay', () => {
  it('offers download and close [SH-26]', async () => {
    const onClose = vi.fn()
    URL.createObjectURL = () => 'blob:x'
    URL.revokeObjectURL = () => {}
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    globalThis.fetch = async () => new Response('bytes')
    render(<ImageOverlay src="/a.png" alt="A chart" fileName="chart.png" onClose={onClose} />)
    await screen.findByRole('dialog', { name: 'A chart' })
    await user.click(screen.getByRole('button', { name: 'Download image' }))
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('chart.png')
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Close image' }))
    expect(onClose).toHaveBeenCalled()
    click.mockRestore()
  })

  it('alerts when the download fails [SH-26]', async () => {
    globalThis.fetch = async () => new Response('', { status: 404 })
    render(<ImageOverlay src="/a.png" alt="A chart" onClose={() => {}} />)
    await user.click(await screen.findByRole('button', { name: 'Download image' }))
    expect((await screen.findByRole('alert')).textContent).toBe('The image could not be downloaded.')
  })
})

describe('menus and popovers', () => {
  it('open by keyboard, move by arrows, and restore the focus', async () => {
    const onRename = vi.fn()
    render(
      <Menu
        trigger={<IconButton name="More">x</IconButton>}
        entries={[
          { label: 'Rename', onSelect: onRename },
          { kind: 'separator' },
          { label: 'Delete', tone: 'danger' },
        ]}
      />,
    )
    const trigger = screen.getByRole('button', { name: 'More' })
    trigger.focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeTruthy()
    expect(trigger.getAttribute('aria-expanded')).toBe('true')
    const isAt = (name: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(name))
    await user.keyboard('{Home}')
    await isAt('Rename')
    await user.keyboard('{ArrowDown}')
    await isAt('Delete')
    await user.keyboard('{ArrowUp}')
    await isAt('Rename')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(onRename).toHaveBeenCalledOnce()
    await waitFor(() => expect(document.activeElement).toBe(trigger))
  })

  it('close with a second click on the trigger', async () => {
    render(<Menu trigger={<Button>More</Button>} entries={[{ label: 'Rename' }]} />)
    await user.click(screen.getByRole('button', { name: 'More' }))
    await screen.findByRole('menuitem', { name: 'Rename' })
    await user.click(screen.getByText('More'))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })

  it('open on a right click', async () => {
    render(
      <ContextMenu entries={[{ label: 'Rename' }]}>
        <div>Row</div>
      </ContextMenu>,
    )
    await user.pointer({ target: screen.getByText('Row'), keys: '[MouseRight]' })
    expect(await screen.findByRole('menuitem', { name: 'Rename' })).toBeTruthy()
  })

  it('have a name and close with Escape', async () => {
    render(
      <Popover trigger={<Button>Models</Button>} name="Choose a model">
        <Button>gpt-4o</Button>
      </Popover>,
    )
    await user.click(screen.getByRole('button', { name: 'Models' }))
    const dialog = await screen.findByRole('dialog', { name: 'Choose a model' })
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('are above the dialog they are opened from, which stays open', async () => {
    render(
      <Dialog open onOpenChange={() => undefined} title="A person">
        <Popover trigger={<Button>Companies</Button>} name="Choose a company">
          <Button>Orsane</Button>
        </Popover>
        <Menu trigger={<Button>More</Button>} entries={[{ label: 'Rename' }]} />
      </Dialog>,
    )
    await user.click(await screen.findByRole('button', { name: 'Companies' }))
    const panel = await screen.findByRole('dialog', { name: 'Choose a company' })
    expect(panel.parentElement?.className).toContain('z-modal')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'More' }))
    const menu = await screen.findByRole('menu')
    expect(menu.parentElement?.className).toContain('z-modal')
    expect(screen.getByText('A person')).toBeTruthy()
  })

  it('show a tooltip with its keys on keyboard focus, and hide it with Escape', async () => {
    render(
      <>
        <IconButton name="Search" keys="Ctrl+K">
          x
        </IconButton>
        <TooltipLayer />
      </>,
    )
    await user.tab()
    await waitFor(() => expect(document.querySelector('[popover]')?.textContent).toBe('SearchCtrl+K'))
    await user.keyboard('{Escape}')
    expect(document.querySelector('[popover]')).toBeNull()
  })

  it('show no tooltip for focus set by opening something', async () => {
    const focusClose = () => screen.getByRole('button', { name: 'Close' }).focus()
    render(
      <>
        <Button onClick={focusClose}>Open</Button>
        <IconButton name="Close">x</IconButton>
        <TooltipLayer />
      </>,
    )
    await user.tab()
    await user.keyboard('{Enter}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Close')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(document.querySelector('[popover]')).toBeNull()
    await user.tab({ shift: true })
    await user.tab()
    await waitFor(() => expect(document.querySelector('[popover]')?.textContent).toBe('Close'))
  })
})

it('the loader is part of the client and fetches nothing [SH-31, G-38]', () => {
  globalThis.fetch = vi.fn()
  const { container } = render(<Loader text="Loading view..." />)
  expect(screen.getByRole('status').textContent).toBe('Loading view...')
  expect(container.querySelectorAll('.arch')).toHaveLength(2)
  expect(container.querySelector('img, script, [src]')).toBeNull()
  expect(fetch).not.toHaveBeenCalled()
})

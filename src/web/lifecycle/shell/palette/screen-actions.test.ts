import { afterEach, describe, expect, it } from 'vitest'
import { readScreenActions } from './screen-actions.ts'

afterEach(() => document.body.replaceChildren())

const names = (html: string) => {
  document.body.innerHTML = html
  return readScreenActions(document.body).map(({ name }) => name)
}

describe('actions of the screen', () => {
  it('include buttons, tabs and switches by name', () => {
    expect(
      names(`<button aria-label="Share"><svg></svg></button><button> Save
        all </button><div role="tab">Text</div><span id="n">Mails</span><button role="switch" aria-labelledby="n"></button>
        <a href="/x">Elsewhere</a>`),
    ).toEqual(['Share', 'Save all', 'Text', 'Mails'])
  })

  it('leave out controls that are disabled or have no name', () => {
    expect(
      names(`<button disabled>A</button><button aria-disabled="true">B</button><button></button>
        <div inert><button>C</button></div><h1><button>Title</button></h1><button>${'x'.repeat(61)}</button>`),
    ).toEqual([])
  })

  it('leave out names of several buttons, except those of the last message', () => {
    expect(names('<button>Star</button><button>Star</button><button>Add</button>')).toEqual(['Add'])
    document.body.innerHTML =
      '<div class="transcript"><button id="a">Copy</button><button id="b">Copy</button></div>'
    const pressed: string[] = []
    document.body.addEventListener('click', ({ target }) => pressed.push((target as Element).id))
    const actions = readScreenActions(document.body)
    expect(actions.map(({ name }) => name)).toEqual(['Copy'])
    actions[0]?.run()
    expect(pressed).toEqual(['b'])
  })
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pageCommands } from './command-palette.tsx'

// This environment has no layout.
beforeEach(() => {
  Element.prototype.checkVisibility = function isShown() {
    return this.closest('[hidden]') === null
  }
})

afterEach(() => document.body.replaceChildren())

const labels = () => pageCommands(document.body).map(({ label, key }) => `${label}${key === null ? '' : ` ${key}`}`)

it('offers the buttons of the page that have a key or open a panel, and the next step of the current row', () => {
  document.body.innerHTML = `
    <button aria-keyshortcuts="u Escape" aria-label="Back to the list"></button>
    <button aria-haspopup="dialog"> Filter </button>
    <button>Clear all</button>
    <table><tbody>
      <tr data-row="1"><td><button data-action="primary">Close… ORC-1</button></td></tr>
      <tr data-row="2" data-current="true"><td>
        <button data-action="primary">Assign to me ORC-2</button><button aria-haspopup="dialog">Owner</button>
      </td></tr>
    </tbody></table>`
  expect(labels()).toEqual(['Assign to me ORC-2', 'Back to the list u', 'Filter'])
})

it('leaves out what is disabled, blocked for a reason, or hidden', () => {
  document.body.innerHTML = `
    <button aria-keyshortcuts="c" aria-disabled="true">Close event…</button>
    <button aria-keyshortcuts="j" disabled>Next event</button>
    <div hidden><button aria-haspopup="dialog">Export</button></div>`
  expect(labels()).toEqual([])
})

it('presses the button and gives it the focus', () => {
  document.body.innerHTML = '<button aria-keyshortcuts="a">Assign to me</button>'
  const pressed = vi.fn<() => void>()
  document.querySelector('button')?.addEventListener('click', pressed)
  pageCommands(document.body)[0]?.run()
  expect(pressed).toHaveBeenCalledOnce()
  expect(document.activeElement?.textContent).toBe('Assign to me')
})

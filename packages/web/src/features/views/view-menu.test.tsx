import { type View, type ViewInput, type ViewState, viewState } from '@benchwatch/contract/events/views'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { forgetUnsent } from '../../ui/use-unsent.ts'
import { presetOf, type ViewedList } from './list-state.ts'
import { ViewMenu } from './view-menu.tsx'
import { mayHaveDefaultView } from './views.api.ts'

const stateOf = (over: object): ViewState => viewState.parse(over)
const list: ViewedList = {
  area: 'events',
  presets: [presetOf('motors', 'All motors', { filters: { severity: ['high'] }, order: 'ASC' })],
  usual: stateOf({}),
  read: (state) => state,
  describe: ({ keyword }) => (keyword === null ? 'Default list' : `“${keyword}”`),
}

/** Views stored on a simulated server. */
let kept: View[]
let refusal: { status: number; body: object } | null
const sent: { method: string; path: string; body: unknown }[] = []

function aView(id: string, name: string, over: Partial<View> = {}): View {
  const own = { shared: false, isDefault: false, isOwn: true, ownerName: 'Anna Lind' }
  return { id, area: 'events', name, ...own, state: stateOf({ keyword: name.toLowerCase().slice(0, 40) }), ...over }
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  sent.length = 0
  refusal = null
  kept = [aView('1', 'Pump'), aView('2', 'Valve', { isOwn: false, shared: true, ownerName: 'Jonas Berg' })]
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const { pathname } = new URL(address, 'http://console.example')
    const method = init.method ?? 'GET'
    const id = pathname.split('/')[3]
    if (method === 'GET') return Response.json(kept)
    const body = init.body === null ? null : (JSON.parse(String(init.body)) as ViewInput)
    sent.push({ method, path: pathname, body })
    if (refusal !== null) return Response.json(refusal.body, { status: refusal.status })
    if (body?.isDefault) kept = kept.map((view) => ({ ...view, isDefault: false }))
    if (method === 'DELETE') kept = kept.filter((view) => view.id !== id)
    if (method === 'PUT') kept = kept.map((view) => (view.id === id ? { ...view, ...body } : view))
    if (method === 'POST' && body !== null) kept = [...kept, { ...aView('9', body.name), ...body }]
    return method === 'DELETE'
      ? new Response(null, { status: 204 })
      : Response.json(kept.find((view) => view.id === (id ?? '9')))
  })
})
afterEach(() => {
  cleanup()
  forgetUnsent()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function Screen({ initial }: { initial: ViewState }) {
  const [state, setState] = useState(initial)
  return (
    <>
      <ViewMenu list={list} state={state} onApply={setState} />
      <output>{JSON.stringify(state)}</output>
      <button type="button" onClick={() => setState({ ...state, keyword: 'motor' })}>
        Look for motors
      </button>
    </>
  )
}

function open(state: object = {}) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Screen initial={stateOf(state)} />
        <ConfirmDialog />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const person = userEvent.setup()
  return {
    person,
    press: async (name: string | RegExp) => person.click(await screen.findByRole('button', { name })),
  }
}
const shownState = () => JSON.parse(document.querySelector('output')?.textContent ?? '') as ViewState
const dialog = () => within(screen.getByRole('dialog', { name: 'Views' }))

describe('the menu of views', () => {
  it('names the view that the list shows, and says when the list was changed', async () => {
    const { press } = open({ keyword: 'pump' })
    await press('View: Pump')
    await press(/^Valve/)
    expect(shownState().keyword).toBe('valve')
    expect(await screen.findByRole('button', { name: 'View: Valve' })).toBeTruthy()
    await press('Look for motors')
    await press('View: Valve changed')
    expect(await dialog().findByRole('button', { name: 'Save as…' })).toBeTruthy()
    // Only its owner can.
    expect(dialog().queryByRole('button', { name: /^Update/ })).toBeNull()
  })

  it('shows what colleagues shared a moment ago, each time it opens', async () => {
    const { person, press } = open()
    await press('Views')
    expect(await dialog().findByRole('button', { name: /^Valve/ })).toBeTruthy()
    await person.keyboard('{Escape}')
    kept = [...kept, aView('3', 'Lamp', { isOwn: false, shared: true, ownerName: 'Jonas Berg' })]
    await press('Views')
    expect(await dialog().findByRole('button', { name: /^Lamp/ })).toBeTruthy()
  })

  it('offers to update one’s own changed view', async () => {
    const { press } = open({ keyword: 'pump' })
    await press('View: Pump')
    await press(/^Pump/)
    await press('Look for motors')
    await press('View: Pump changed')
    await press(/^Update/)
    expect(await screen.findByText('View “Pump” updated')).toBeTruthy()
    expect(sent).toMatchObject([{ method: 'PUT', path: '/api/views/1', body: { state: { keyword: 'motor' } } }])
    expect(await screen.findByRole('button', { name: 'View: Pump' })).toBeTruthy()
    await press('View: Pump')
    await press(/^Valve/)
    await press('Look for motors')
    // The list equals the user's own view again, which takes precedence over the one it came from.
    expect(await screen.findByRole('button', { name: 'View: Pump' })).toBeTruthy()
  })

  it('saves the list under a new name, shared or as the default', async () => {
    const { press, person } = open({ keyword: 'motor' })
    await press('Views')
    await press('Save as…')
    await press('Save')
    expect(await screen.findByText('Give the view a name.')).toBeTruthy()
    await person.type(screen.getByRole('textbox', { name: 'Name' }), '  Motors ')
    await person.click(screen.getByRole('checkbox', { name: /^Share/ }))
    await person.click(screen.getByRole('checkbox', { name: /^Open the list/ }))
    await press('Save')
    expect(await screen.findByText('View “Motors” saved')).toBeTruthy()
    expect(sent.map(({ body }) => body)).toEqual([
      { area: 'events', name: 'Motors', shared: true, isDefault: true, state: stateOf({ keyword: 'motor' }) },
    ])
    expect(await screen.findByRole('button', { name: 'View: Motors' })).toBeTruthy()
  })

  it('says at the field that a name is taken, and keeps what was typed', async () => {
    refusal = {
      status: 409,
      body: { ErrorBody: 'Taken.', code: 'view-name-taken', errors: [{ path: 'body.name', message: 'Taken.' }] },
    }
    const { press, person } = open({ keyword: 'motor' })
    await press('Views')
    await press('Save as…')
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Pump')
    await press('Save')
    expect(await screen.findByText('Taken.')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Pump')
  })

  it('keeps the name of a new view after Escape', async () => {
    const { press, person } = open({ keyword: 'motor' })
    await press('Views')
    await press('Save as…')
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Motors')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull())
    await press('Views')
    await press('Save as…')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Motors')
  })

  it('makes one view the default, even a colleague’s, and this browser remembers it', async () => {
    const { press } = open()
    await press('Views')
    expect(mayHaveDefaultView('events')).toBe(false)
    await press('Open the list with Valve')
    expect(await screen.findByText('View “Valve” is your default')).toBeTruthy()
    await waitFor(() =>
      expect(dialog().getByRole('button', { name: 'Open the list with Valve' }).getAttribute('aria-pressed')).toBe(
        'true',
      ),
    )
    expect(mayHaveDefaultView('events')).toBe(true)
    expect(dialog().queryByRole('button', { name: 'Edit view Valve' })).toBeNull()
  })

  it('keeps what its owner changed in another window while its form was open', async () => {
    const { press, person } = open()
    await press('Views')
    await press('Edit view Pump')
    await person.type(screen.getByRole('textbox', { name: 'Name' }), ' rooms')
    kept = kept.map((view) => (view.id === '1' ? { ...view, state: stateOf({ keyword: 'motor' }) } : view))
    await press('Save')
    expect(await screen.findByText('View “Pump rooms” updated')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { name: 'Pump rooms', state: { keyword: 'motor' } } }])
  })

  it('deletes a view after one question', async () => {
    const { press } = open()
    for (const answer of ['Cancel', 'Delete view']) {
      await press('Views')
      await press('Edit view Pump')
      await press('Delete…')
      expect(await screen.findByText('Delete the view “Pump”?')).toBeTruthy()
      await press(answer)
      await waitFor(() => expect(screen.queryByText('Delete the view “Pump”?')).toBeNull())
    }
    expect(await screen.findByText('View “Pump” deleted')).toBeTruthy()
    expect(sent.map(({ method, path }) => [method, path])).toEqual([['DELETE', '/api/views/1']])
  })

  it('says which view could not be changed, and why', async () => {
    refusal = { status: 404, body: { ErrorBody: 'There is no such view.', code: 'not-found' } }
    const { press } = open()
    await press('Views')
    await press('Open the list with Valve')
    expect(await screen.findByText('Could not change view “Valve”')).toBeTruthy()
    expect(screen.getByText('There is no such view.')).toBeTruthy()
  })

  it('offers built-in views above the saved ones, which nobody can change, and keeps columns and page size', async () => {
    const { press } = open({ columns: ['age'], pageSize: 50 })
    await press('Views')
    const builtIn = within(await dialog().findByRole('list', { name: 'Built-in views' }))
    const button = builtIn.getByRole('button', { name: /^All motors/ })
    expect(builtIn.getAllByRole('button')).toEqual([button])
    expect(button.getAttribute('aria-current')).toBeNull()
    await press(/^All motors/)
    expect(shownState()).toEqual(
      stateOf({ filters: { severity: ['high'] }, order: 'ASC', columns: ['age'], pageSize: 50 }),
    )
    await press('View: All motors')
    expect(
      dialog()
        .getByRole('button', { name: /^All motors/ })
        .getAttribute('aria-current'),
    ).toBe('true')
    await press(/^Save as/)
    await press('Back')
    await press('Look for motors')
    await press('View: All motors changed')
    expect(await dialog().findByRole('button', { name: 'Save as…' })).toBeTruthy()
    expect(dialog().queryByRole('button', { name: /^Update/ })).toBeNull()
  })

  it('goes back to the usual list', async () => {
    const { press } = open({ keyword: 'pump' })
    await press('View: Pump')
    await press('Reset to default list')
    expect(shownState()).toEqual(list.usual)
    expect(await screen.findByRole('button', { name: 'Views' })).toBeTruthy()
  })

  it('has a search box above five views', async () => {
    const { press } = open()
    await press('Views')
    await dialog().findByRole('button', { name: /^Pump/ })
    expect(dialog().queryByRole('textbox')).toBeNull()
    cleanup()
    kept = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name, at) => aView(String(at + 1), name))
    const again = open()
    await again.press('Views')
    await again.person.type(await dialog().findByRole('textbox', { name: 'Search views' }), 'si')
    expect(dialog().getAllByRole('button', { name: /“/ })).toHaveLength(1)
    expect(dialog().getByRole('button', { name: /^Six/ })).toBeTruthy()
  })

  it('shows names as text, whatever they hold', async () => {
    kept = [aView('1', '<img src=x onerror=alert(1)> مراقبة')]
    const { press } = open()
    await press('Views')
    await dialog().findByText('<img src=x onerror=alert(1)> مراقبة')
    expect(document.querySelector('img')).toBeNull()
    expect(dialog().getByText(/مراقبة/, { selector: 'bdi' })).toBeTruthy()
  })
})

import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import type { OrcStatus } from '@benchwatch/contract/vocabulary'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { formatTooltipTime } from '../../lib/time/dates.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx'
import { theme } from '../../ui/theme.ts'
import { forgetUnsent } from '../../ui/use-unsent.ts'
import { orcStatusLabel } from '../connections/orc-status-badge.tsx'
import type { MaintainedInstrument } from './current-maintenance.ts'
import { OrcStatusMenu } from './orc-status-menu.tsx'

/** In the middle of a month: earlier days can't be chosen, later ones can. */
const NOW = new Date('2026-11-20T15:00:00.000Z')
const SINCE = '2026-11-20T13:00:00.000Z'
const ON: Maintenance = { id: '7', start: SINCE, end: null, reason: 'Seals', rrule: null, timeZone: null }

/** Recorded requests and the prepared answers of the server. */
const posts: { address: string; body: unknown }[] = []
let answer: () => Response

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  answer = () => Response.json({ maintenances: [ON] })
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    posts.push({ address, body: JSON.parse(String(init.body)) })
    return answer()
  })
})

afterEach(() => {
  cleanup()
  forgetUnsent()
  notifications.clean()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  setCredentials(null)
  posts.length = 0
})

function show({ orcStatus = 'Connected', maintenances = [] }: { orcStatus?: OrcStatus; maintenances?: Maintenance[] }) {
  const onChanged = vi.fn()
  const client = new QueryClient()
  const tree = (there: Maintenance[]) => {
    const instrument: MaintainedInstrument = {
      id: '1',
      instrumentInstalledProductId: 'IP-1',
      instrumentProductDescription: 'ÄKTA avant 25',
      instrumentTimeZone: 'Asia/Tokyo',
      orcStatus,
      unknownAt: SINCE,
      maintenances: there,
    }
    return (
      <MantineProvider theme={theme} env="test">
        <QueryClientProvider client={client}>
          <Notifications />
          <OrcStatusMenu instrument={instrument} onChanged={onChanged} />
          <ConfirmDialog />
        </QueryClientProvider>
      </MantineProvider>
    )
  }
  const { rerender } = render(tree(maintenances))
  return { user: userEvent.setup(), onChanged, becomes: (there: Maintenance[]) => rerender(tree(there)) }
}

/** Opens the dialog from the menu. */
async function openDialog(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole('button', { name: /^ORC status/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Maintenance…' }))
  return screen.findByRole('switch', { name: 'Maintenance mode' })
}

it('says how long maintenance has been on, and nothing like that of one that is scheduled', () => {
  show({ maintenances: [ON] })
  expect(screen.getByText('2 h').title).toContain(formatTooltipTime(SINCE))
  cleanup()
  show({ maintenances: [{ ...ON, start: '2026-11-21T13:00:00.000Z' }] })
  expect(screen.getByRole('img', { name: 'Maintenance scheduled' })).toBeTruthy()
  expect(screen.queryByRole('time')).toBeNull()
})

const apply = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' })

describe('the ORC status', () => {
  it.each([
    { orcStatus: 'Edge Issue', more: '. Monitoring unavailable.' },
    { orcStatus: 'Disconnected', more: '' },
  ] as const)('tells of $orcStatus since when the connection is lost', ({ orcStatus, more }) => {
    show({ orcStatus })
    const words = `Connection lost since ${formatTooltipTime(SINCE)}${more}`
    expect(screen.getByTitle(words).textContent).toBe(orcStatus)
  })

  it('says by its name that nothing is heard behind a silent gateway', () => {
    show({ orcStatus: 'Edge Issue' })
    expect(screen.getByRole('button', { name: 'ORC status: Edge Issue, monitoring unavailable' })).toBeTruthy()
  })

  it('has no menu while the instrument is being set up', () => {
    show({ orcStatus: 'Onboarding' })
    expect(screen.getByTitle('System set-up not complete').textContent).toBe('Onboarding')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it.each([
    ['Onboarding', 'System set-up not complete'],
    ['Connected', 'Instrument connected'],
    ['Edge Issue', 'Edge gateway offline or other errors'],
    ['Disconnected', 'Instrument not connected to the gateway'],
  ] as const)('%s means: %s', (status, meaning) => {
    expect(orcStatusLabel({ status, unknownAt: null })).toBe(meaning)
  })

  it('says by its name and a mark whether there is maintenance, and why', () => {
    show({ maintenances: [ON] })
    expect(screen.getByRole('button', { name: 'ORC status: Connected, 2 h in maintenance' })).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Maintenance on' }).title).toMatch(/^Maintenance on\nSince .*\nSeals$/)
    cleanup()
    show({ maintenances: [{ ...ON, start: new Date(Date.now() + 86_400_000).toISOString() }] })
    expect(screen.getByRole('button', { name: 'ORC status: Connected, Maintenance scheduled' })).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Maintenance scheduled' })).toBeTruthy()
    expect(screen.queryByRole('img', { name: 'Maintenance on' })).toBeNull()
  })

  it('shows the maintenance as on from its start to its end, to the second', async () => {
    vi.useFakeTimers({ now: NOW })
    const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString()
    const { becomes } = show({ maintenances: [{ ...ON, start: after(100), end: after(200) }] })
    const passes = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
    const shown = () => screen.queryByRole('img')?.getAttribute('aria-label')
    await passes(99)
    expect(shown()).toBe('Maintenance scheduled')
    await passes(1)
    expect(shown()).toBe('Maintenance on')
    await passes(99)
    expect(shown()).toBe('Maintenance on')
    await passes(1)
    expect(shown()).toBeUndefined()
    await passes(5)
    becomes([{ ...ON, start: after(204) }])
    expect(shown()).toBe('Maintenance on')
  })
})

describe('the maintenance dialog', () => {
  it('keeps what was entered when its page is left, but not what was discarded', async () => {
    const reason = () => screen.findByLabelText<HTMLTextAreaElement>('Reason')
    const { user } = show({ maintenances: [ON] })
    await openDialog(user)
    await user.click(screen.getByRole('button', { name: 'Add another' }))
    await user.type(await reason(), 'Filters')
    cleanup()

    const again = show({ maintenances: [ON] })
    await openDialog(again.user)
    expect((await reason()).value).toBe('Filters')
    expect(screen.getByText('New maintenance')).toBeTruthy()
    again.becomes([])
    expect(screen.getByText(/Another user changed the maintenance/)).toBeTruthy()
    await again.user.click(screen.getByRole('button', { name: 'Cancel' }))
    again.becomes([ON])
    await openDialog(again.user)
    expect((await reason()).value).toBe('Seals')
  })

  it('sets maintenance, says so and closes; the focus returns to the status', async () => {
    const { user, onChanged } = show({})
    const mode = await openDialog(user)
    expect(apply().disabled).toBe(true)
    await user.click(mode)
    await user.click(apply())
    expect(await screen.findByText('Maintenance updated')).toBeTruthy()
    expect(posts).toMatchObject([
      { address: expect.stringContaining('/maintenance?instrumentId=1'), body: { end: null } },
    ])
    expect(onChanged).toHaveBeenCalledWith([ON])
    expect(screen.queryByRole('switch')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^ORC status/ }))
  })

  it('has Date range while the mode is on; Apply waits for both days, and days before today can not be chosen', async () => {
    const { user } = show({})
    const mode = await openDialog(user)
    expect(screen.queryByRole('switch', { name: 'Date range' })).toBeNull()
    await user.click(mode)
    expect(apply().disabled).toBe(false)
    await user.click(screen.getByRole('switch', { name: 'Date range' }))
    expect(apply().disabled).toBe(true)
    const calendar = screen.getByRole('group', { name: 'Maintenance days' })
    const days = [...calendar.querySelectorAll<HTMLButtonElement>('td button:not([data-hidden])')]
    const today = NOW.getDate()
    expect(days.slice(0, today - 1).map(({ disabled }) => disabled)).toEqual(Array(19).fill(true))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous month' }).disabled).toBe(true)
    const [first, ...later] = days.slice(today - 1)
    await user.click(first as HTMLButtonElement)
    expect(apply().disabled).toBe(true)
    await user.click(later.at(-1) as HTMLButtonElement)
    expect(apply().disabled).toBe(false)
    await user.click(screen.getByRole('switch', { name: 'Date range' }))
    await user.click(screen.getByRole('switch', { name: 'Date range' }))
    expect(screen.getByRole('group', { name: 'Maintenance days' }).querySelector('[data-selected]')).toBeNull()
    expect(apply().disabled).toBe(true)
    await user.click(screen.getByRole('switch', { name: 'Date range' }))
    await user.click(apply())
    await waitFor(() => expect(posts).toHaveLength(1))
    expect(posts[0]?.body).toMatchObject({ end: null })
  })

  it('stays open with the sentence of a refusal', async () => {
    answer = () =>
      Response.json(
        { status: 400, code: 'bad-maintenance', detail: 'Why not.', ErrorBody: 'Why not.' },
        { status: 400 },
      )
    const { user, onChanged } = show({})
    await user.click(await openDialog(user))
    await user.click(apply())
    expect(await screen.findByText('Could not update maintenance')).toBeTruthy()
    expect(screen.getByRole('switch', { name: 'Maintenance mode' })).toHaveProperty('checked', true)
    expect(screen.getAllByText('Why not.')).toHaveLength(2)
    expect(onChanged).not.toHaveBeenCalled()
  })

  it('asks before Escape loses what was entered; Cancel closes it', async () => {
    const { user } = show({})
    await user.click(await openDialog(user))
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Stay' }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('switch')).toBeNull()
    await openDialog(user)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('switch')).toBeNull())
    expect(posts).toEqual([])
  })

  it('follows what others change, and tells of it where something was entered', async () => {
    const { user, becomes } = show({ maintenances: [ON] })
    const mode = await openDialog(user)
    expect(mode).toHaveProperty('checked', true)
    becomes([])
    expect(mode).toHaveProperty('checked', false)
    becomes([ON])
    expect(mode).toHaveProperty('checked', true)
    await user.type(screen.getByLabelText('Reason'), ' and valves')
    becomes([{ ...ON, reason: 'Filter' }])
    expect(screen.getByText(/Another user changed/)).toBeTruthy()
    becomes([])
    expect(screen.getByText(/was ended by another user/)).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Reason').value).toBe('Seals and valves')
    await user.click(apply())
    expect(posts[0]?.body).not.toHaveProperty('id')
    expect(posts[0]?.body).toMatchObject({ reason: 'Seals and valves', end: null })
  })
})

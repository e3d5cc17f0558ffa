import type { ComponentUsage, UsageHistory } from '@benchwatch/contract/instruments/usage'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { userKeys } from '../users/users.api.ts'
import { UsageCard } from './usage-card.tsx'

const instrument = { id: '47', instrumentType: 'AKTAAvant' } as const
const seal: ComponentUsage['usage'][number] = {
  metric: 'Piston seal',
  unit: 'strokes',
  value: 850,
  thresholdRule: 'MAXIMUM_USAGE',
  thresholdValues: [1000],
  usagePercentage: 85,
  usageColor: 'high',
  forecastDate: '2026-12-12',
}
const volume: ComponentUsage['usage'][number] = {
  metric: 'Pumped volume',
  unit: 'l',
  value: 12,
  thresholdRule: 'UNKNOWN_THRESHOLD',
  thresholdValues: [],
  usagePercentage: null,
  usageColor: 'unknown',
  forecastDate: null,
}
const pump: ComponentUsage = {
  componentName: 'Pump B (P9-B)',
  usage: [volume, seal],
  info: [{ metric: 'Serial number', unit: null, value: 'P9-004711' }],
  details: [],
}
const bare = (componentName: string): ComponentUsage => ({ ...pump, componentName, usage: [], info: [] })
const history: UsageHistory = {
  componentName: pump.componentName,
  metric: seal,
  values: [
    { time: '2026-11-01', value: 990 },
    { time: '2026-11-02', value: 20 },
  ],
  resets: ['2026-11-02'],
  trend: null,
}

let flags: FeatureKey[]
let components: () => Response
/** Requested paths. */
const asked: string[] = []

// Preloads what a press loads, so that no test waits for it.
beforeAll(() => import('./history/usage-history.tsx'))

beforeEach(() => {
  flags = ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS']
  components = () => Response.json([bare('Column'), pump])
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    const path = address.split('?')[0] ?? ''
    asked.push(path)
    if (path.endsWith('/features')) return Response.json(flags.map((key) => ({ key, value: 'true' })))
    return path.endsWith('/history') ? Response.json(history) : components()
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  asked.length = 0
})

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Notifications />
        <UsageCard instrument={instrument} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { client, person: userEvent.setup({ delay: null }) }
}

const list = () => screen.findByRole('list', { name: 'Components' })
const row = async (name: string) => within(await list()).getByRole('button', { name: new RegExp(`^${name}`) })

describe('the usage card', () => {
  it.each([[['ASSET_USAGE']], [['FETCH_INSTRUMENT_COMPONENTS']], [[]]] as FeatureKey[][][])(
    'is not there with the flags %j, and nothing is asked for',
    async (given) => {
      flags = given
      show()
      await waitFor(() => expect(asked).toEqual(['/api/users/me/features']))
      await act(async () => {})
      expect(screen.queryByRole('region', { name: 'Component usage' })).toBeNull()
      expect(asked).toEqual(['/api/users/me/features'])
    },
  )

  it('disappears when a flag is switched off while it is shown', async () => {
    const { client } = show()
    await list()
    flags = ['ASSET_USAGE']
    await act(() => client.invalidateQueries({ queryKey: userKeys.features }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Component usage' })).toBeNull())
  })

  it('shows the component that needs somebody first on top, with its worst counter in words and figures', async () => {
    show()
    const rows = within(await list()).getAllByRole('button')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Pump B (P9-B)HighPiston seal 850 of 1,000 strokes · reaches limit about 12-Dec-2026 +1 more85.0%',
      'ColumnNo counters',
    ])
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  it('explains the rating of a component when its row is hovered, focused or touched', async () => {
    const { person } = show()
    const pumpRow = await row('Pump B')
    expect(screen.queryByRole('tooltip')).toBeNull()
    await person.hover(pumpRow)
    expect(await screen.findByRole('tooltip', { name: '85.0% MAX = 1,000' })).toBeTruthy()
    await person.unhover(pumpRow)
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
    act(() => pumpRow.focus())
    expect(await screen.findByRole('tooltip', { name: '85.0% MAX = 1,000' })).toBeTruthy()
    await person.click(pumpRow)
    const bar = within(screen.getByRole('list', { name: 'Counters' }))
      .getAllByRole('listitem')[0]
      ?.querySelector('span[data-usage]')
    await person.pointer({ keys: '[TouchA]', target: bar ?? document.body })
    expect(await screen.findByRole('tooltip', { name: '85.0% MAX = 1,000' })).toBeTruthy()
  })

  it('has a search above eight components, and says when nothing is found', async () => {
    components = () => Response.json([pump, ...Array.from({ length: 8 }, (_, index) => bare(`Välve ${index}`))])
    const { person } = show()
    await list()
    await person.type(screen.getByRole('searchbox', { name: 'Search components' }), 'valve 7')
    expect(within(await list()).getAllByRole('button')).toHaveLength(1)
    await person.type(screen.getByRole('searchbox'), 'x')
    expect(screen.getByText('No component matches “valve 7x”.')).toBeTruthy()
  })

  it('says that there are no components', async () => {
    components = () => Response.json([])
    show()
    expect(await screen.findByText('No component data received yet.')).toBeTruthy()
  })

  it('says by a toast and in its place that it could not be loaded, and tries again', async () => {
    components = () => Response.json({ ErrorBody: 'Down.' }, { status: 400 })
    const { person } = show()
    expect(await screen.findAllByText('Component usage could not be loaded.')).toHaveLength(2)
    components = () => Response.json([pump])
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await row('Pump B')).toBeTruthy()
  })
})

describe('the details of a component', () => {
  it('take the place of the list, with the focus, and give both back', async () => {
    const { person } = show()
    await person.click(await row('Column'))
    expect(screen.queryByRole('list', { name: 'Components' })).toBeNull()
    const back = screen.getByRole('button', { name: 'Back to all components' })
    expect(document.activeElement).toBe(back)
    expect(screen.getByText('This component has no counters.')).toBeTruthy()
    await person.keyboard('{Enter}')
    expect(document.activeElement).toBe(await row('Column'))
  })

  it('have the tabs usage, info and details, which arrow keys change', async () => {
    const { person } = show()
    await person.click(await row('Pump B'))
    expect(screen.getByRole('tab', { name: 'Usage', selected: true })).toBeTruthy()
    expect(screen.getByText('85.0% MAX = 1,000')).toBeTruthy()
    await person.tab()
    await person.keyboard('{ArrowRight}')
    expect(screen.getByRole('tabpanel', { name: 'Info' }).textContent).toBe('Serial numberP9-004711')
    await person.keyboard('{ArrowRight}')
    expect(screen.getByRole('tabpanel', { name: 'Details' }).textContent).toBe(
      'No details received for this component.',
    )
  })

  it('show the day on which a counter reaches its limit, and after a press the data behind it', async () => {
    const { person } = show()
    await person.click(await row('Pump B'))
    const button = screen.getByRole('button', { name: 'Reaches limit about 12-Dec-2026 (history of Piston seal)' })
    await person.click(button)
    const dialog = await screen.findByRole('dialog', { name: 'Piston seal · Pump B (P9-B)' })
    expect(await within(dialog).findByText(/^No forecast yet/)).toBeTruthy()
    const slider = within(dialog).getByRole('slider', { name: 'Piston seal, day by day' })
    expect(slider.getAttribute('aria-valuetext')).toBe('02-Nov-2026: 20 strokes, counter reset')
    await person.click(within(dialog).getByRole('button', { name: 'Show as table' }))
    const rows = within(dialog).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'DayPiston seal',
      '02-Nov-202620 strokes Counter reset',
      '01-Nov-2026990 strokes',
    ])
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(button)
  })
})

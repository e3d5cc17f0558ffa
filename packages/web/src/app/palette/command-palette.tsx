import type { Me } from '@benchwatch/contract/users/users'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import {
  Combobox,
  Group,
  Text,
  TextInput,
  useCombobox,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { mayEnterBackoffice } from '../../features/backoffice/backoffice-parts.ts'
import { detailsQuery } from '../../features/events/events.api.ts'
import { defaultEventSearch, openStatuses, writeEventSearch } from '../../features/events/events.search.ts'
import { instrumentListQuery } from '../../features/instruments/instruments.api.ts'
import { kpiDashboardsQuery } from '../../features/kpi/kpi.api.ts'
import { featuresQuery, filtersQuery, meQuery } from '../../features/users/users.api.ts'
import { folded } from '../../lib/folded.ts'
import { eventName } from '../../lib/screen-name.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { askToSignOut } from '../shell/user-menu.tsx'

/** The server is asked this long after the last key. */
const SETTLED_MS = 150
const MOST_INSTRUMENTS = '5'

/**
 * Does what the page offers, and opens events, instruments, customers and screens by their names. The server finds only
 * what the user may see. Answers of the server come last, so that nothing moves that the user may be about to choose.
 *
 * Mantine's Spotlight has neither a combobox nor a listbox for screen readers; Combobox has both.
 */
export function CommandPalette(props: { text: string; onText: (text: string) => void; onClose: () => void }) {
  const { text, onClose } = props
  const listId = useId()
  const navigate = useNavigate()
  const combobox = useCombobox({ opened: true })
  const { entries, isLoading } = usePaletteEntries(text)
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption())
  const first = entries[0]?.id
  useEffect(() => {
    if (first !== undefined) selectFirst()
  }, [first, text])

  function handleChoice(id: string) {
    const entry = entries.find((one) => one.id === id)
    if (entry === undefined) return
    onClose()
    if ('run' in entry) {
      // After the palette has gone, which otherwise keeps the focus.
      setTimeout(entry.run)
      return
    }
    const { to, params = {}, search = {} } = entry
    void navigate({ to, params, search })
  }

  return (
    <Dialog onClose={onClose} title="Search and actions" centered={false} yOffset={80} size="lg">
      <Combobox store={combobox} onOptionSubmit={handleChoice}>
        {/* Without these, it names its list only from the second rendering on. */}
        <Combobox.EventsTarget withExpandedAttribute aria-expanded aria-controls={listId}>
          <TextInput
            data-autofocus
            aria-autocomplete="list"
            aria-label="Action, event number, instrument, customer or screen"
            placeholder="Action, number, name or screen"
            value={text}
            onChange={({ currentTarget }) => props.onText(currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} aria-label="Results" mt={8} mah="50dvh" style={{ overflowY: 'auto' }}>
          {entries.map(({ id, label, hint, does }) => (
            <Combobox.Option key={id} value={id}>
              <Group justify="space-between" gap="0 12px">
                <Text span truncate dir="auto">
                  {label}
                </Text>
                <Text span size="xs" c="dimmed" truncate>
                  {hint !== undefined && `${hint} · `}
                  {does}
                </Text>
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox>
      <Text role="status" c="dimmed" size="xs" px={8} pt={4} mih={20}>
        {isLoading ? 'Searching…' : entries.length === 0 && 'Nothing found'}
      </Text>
    </Dialog>
  )
}

function usePaletteEntries(text: string): { entries: readonly PaletteEntry[]; isLoading: boolean } {
  const actions = usePaletteActions()
  const [settled] = useDebouncedValue(text.trim(), SETTLED_MS)
  const number = eventNumber(settled)
  const { data: me } = useQuery(meQuery())
  const { data: features = [] } = useQuery(featuresQuery())
  const { data: dashboards = [] } = useQuery(kpiDashboardsQuery())
  const { data: filters } = useQuery(filtersQuery())
  const event = useQuery({ ...detailsQuery(number ?? ''), enabled: number !== null, retry: false })
  const request = { query: { keyword: settled, limit: MOST_INSTRUMENTS }, body: { filter: {} } }
  const instruments = useQuery({
    ...instrumentListQuery(request),
    placeholderData: keepPreviousData,
    enabled: settled !== '',
  })
  const customers = filters?.eventFilter.find(({ key }) => key === 'enterpriseName')?.values ?? []
  const isAsked = settled !== '' && settled === text.trim()
  const entries = [
    ...matching(actions, text),
    ...matching(paletteScreens({ me, features, hasDashboards: dashboards.length > 0 }), text),
    ...paletteCustomers(customers, text),
    ...(isAsked && number !== null && event.data !== undefined
      ? [
          {
            id: `event ${event.data.id}`,
            label: `${eventName(event.data)} ${event.data.description}`,
            does: 'Open event',
            to: '/events/$eventId' as const,
            params: { eventId: event.data.eventId },
          },
        ]
      : []),
    ...(isAsked && !instruments.isPlaceholderData ? (instruments.data?.values ?? []) : []).map((instrument) => ({
      id: `instrument ${instrument.id}`,
      label: `${instrument.instrumentInstalledProductId} ${instrument.instrumentProductDescription}`,
      hint: instrument.instrumentCustomer,
      does: 'Open instrument',
      to: '/instruments/$instrumentId' as const,
      params: { instrumentId: instrument.instrumentInstalledProductId },
    })),
  ]
  const isReading = instruments.isFetching || (number !== null && event.isFetching)
  return { entries, isLoading: text.trim() !== '' && (!isAsked || isReading) }
}

/** Returns the actions of the page behind the palette, then those of every page. */
function usePaletteActions(): readonly PaletteAction[] {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  // Read once: the page behind the palette cannot be used in the meantime.
  const [ofPage] = useState(() => pageCommands(document.getElementById('content') ?? document.body))
  return [
    ...ofPage.map(({ label, key, run }, place) => ({
      id: `page ${place}`,
      label,
      does: key ?? 'On this page',
      run,
    })),
    { id: 'theme', label: `Switch to ${theme} theme`, does: 'Everywhere', run: () => setColorScheme(theme) },
    { id: 'logout', label: 'Log out', does: 'Everywhere', run: () => void askToSignOut() },
  ]
}

interface PageCommand {
  label: string
  /** The key that does the same. */
  key: string | null
  run: () => void
}

const BUTTONS = ':is(button, a):is([aria-keyshortcuts], [aria-haspopup="dialog"])'
const NEXT_STEP_OF_ROW = '[data-row][data-current] [data-action="primary"]'

/**
 * Returns the actions of a page in its order. They are the buttons that it shows, those with a key and those that open a
 * panel, and the next step of the current row; a button that is blocked is left out. So the palette never offers what
 * the page does not.
 */
export function pageCommands(page: ParentNode): PageCommand[] {
  const row = page.querySelectorAll<HTMLElement>(NEXT_STEP_OF_ROW)
  const buttons = page.querySelectorAll<HTMLElement>(`${BUTTONS}:not(:disabled, [aria-disabled="true"])`)
  const ofPage = [...buttons].filter((button) => button.closest('[data-row]') === null)
  return [...row, ...ofPage].filter(isShown).map((button) => ({
    label: (button.getAttribute('aria-label') ?? button.textContent).trim(),
    // A button with several keys shows the first.
    key: button.getAttribute('aria-keyshortcuts')?.split(' ')[0] ?? null,
    run: () => {
      button.focus({ preventScroll: true })
      button.click()
    },
  }))
}

function isShown(button: HTMLElement): boolean {
  return button.checkVisibility({ visibilityProperty: true })
}

// The entries that the palette offers to a user, and those that a typed text finds.

interface Entry {
  id: string
  label: string
  /** Says what Enter does. */
  does: string
  hint?: string | undefined
}

/** An entry that leads to a screen. */
interface PaletteLink extends Entry {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
  search?: Record<string, string>
}

/** An entry that does something at once. */
interface PaletteAction extends Entry {
  run: () => void
}

type PaletteEntry = PaletteLink | PaletteAction

/** The user, as far as screens depend on rights. */
interface PaletteUser {
  me: Pick<Me, 'id' | 'role'> | undefined
  features: readonly FeatureKey[]
  hasDashboards: boolean
}

/** Customers that a text finds at most. */
const MOST_CUSTOMERS = 5

/** Returns the screens that the user may open, and lists of events that are asked for often. */
export function paletteScreens({ me, features, hasDashboards }: PaletteUser): PaletteLink[] {
  const screen = (to: PaletteLink['to'], label: string): PaletteLink => ({ id: to, label, to, does: 'Open screen' })
  const events = (label: string, owner: string): PaletteLink => ({
    id: label,
    label,
    to: '/events',
    does: 'Show events',
    search: eventsOf({ alertStatus: [...openStatuses], owner: [owner] }),
  })
  return [
    screen('/events', 'Service events'),
    ...(me === undefined ? [] : [events('My open events', me.id)]),
    events('Open events without an owner', 'none'),
    screen('/instruments', 'Instruments'),
    screen('/maintenance', 'Planned maintenance'),
    screen('/notifications', 'Notifications'),
    screen('/settings', 'Settings'),
    screen('/help', 'Help'),
    ...(hasDashboards ? [screen('/kpi', 'KPI')] : []),
    ...(me?.role === 'admin' ? [screen('/administration', 'Administration')] : []),
    ...(me !== undefined && mayEnterBackoffice(me.role, features) ? [screen('/backoffice', 'Back office')] : []),
  ]
}

/** Returns the customers whose names contain the text, each with its events. */
export function paletteCustomers(names: readonly string[], text: string): PaletteLink[] {
  const term = folded(text.trim())
  if (term === '') return []
  return names
    .filter((name) => folded(name).includes(term))
    .slice(0, MOST_CUSTOMERS)
    .map((name) => ({
      id: `customer ${name}`,
      label: name,
      hint: 'Customer',
      does: 'Show events',
      to: '/events',
      search: eventsOf({ enterpriseName: [name] }),
    }))
}

export function matching<E extends PaletteEntry>(entries: readonly E[], text: string): E[] {
  const term = folded(text.trim())
  return entries.filter(({ label }) => folded(label).includes(term))
}

/** Returns the digits of an event number, typed with or without ORC-; null for any other text. */
export function eventNumber(text: string): string | null {
  return /^(?:ORC-?)?(\d{1,15})$/i.exec(text.trim())?.[1] ?? null
}

function eventsOf(filter: Parameters<typeof writeEventSearch>[0]['filter']): Record<string, string> {
  return writeEventSearch({ ...defaultEventSearch, filter, temporaryFilters: true })
}

import { expect, it } from 'vitest'
import { eventNumber, matching, paletteCustomers, paletteScreens } from './command-palette.tsx'

const labels = (user: Parameters<typeof paletteScreens>[0]) => paletteScreens(user).map(({ label }) => label)

it('offers only the screens that the user may open', () => {
  const customer = labels({ me: { id: '1', role: 'customer' }, features: ['BACKOFFICE'], hasDashboards: false })
  for (const name of ['KPI', 'Administration', 'Back office']) expect(customer).not.toContain(name)
  expect(labels({ me: { id: '1', role: 'admin' }, features: ['BACKOFFICE'], hasDashboards: true })).toEqual(
    expect.arrayContaining(['KPI', 'Administration', 'Back office']),
  )
})

it('finds customers and screens by a part of the name, whatever its case and accents', () => {
  const [found, ...others] = paletteCustomers(['Helix Biologics', 'Öberg Lab'], 'oberg')
  expect(found).toMatchObject({ label: 'Öberg Lab', search: { temporaryFilters: 'true' } })
  expect(others).toEqual([])
  const screens = paletteScreens({ me: undefined, features: [], hasDashboards: false })
  expect(matching(screens, 'SETT').map(({ to }) => to)).toEqual(['/settings'])
})

it.each([
  ['104882', '104882'],
  [' ORC-104882 ', '104882'],
  ['orc7', '7'],
  ['IP-20431187', null],
  ['', null],
])('reads %j as the event number %s', (text, number) => {
  expect(eventNumber(text)).toBe(number)
})

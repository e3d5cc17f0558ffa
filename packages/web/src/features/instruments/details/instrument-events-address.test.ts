import { expect, it } from 'vitest'
import { instrumentEventsAddress } from './instrument-events-address.ts'

it('leads to the open events of the instrument since it was created', () => {
  const instrument = { instrumentInstalledProductId: 'IP-20431187', createdAt: '2024-03-03T09:12:00.000Z' }
  expect(instrumentEventsAddress(instrument)).toBe(
    '/events?keyword=IP-20431187&alertStatus=1_NEW,2_IN_PROGRESS&start=2024-03-03T09:12:00.000Z&temporaryFilters=true&page=1&pageSize=12',
  )
})

it('keeps an installed product id that an address would read as something else', () => {
  const instrument = { instrumentInstalledProductId: 'IP&page=9#7', createdAt: '2024-03-03T09:12:00.000Z' }
  const { searchParams } = new URL(instrumentEventsAddress(instrument), 'https://console.example')
  expect(searchParams.get('keyword')).toBe('IP&page=9#7')
  expect(searchParams.get('page')).toBe('1')
})

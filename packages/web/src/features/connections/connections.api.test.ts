import { expect, it } from 'vitest'
import { connectedInstrumentsAddress } from './connections.api.ts'

it('opens the instrument list with temporary filters, all families and these instruments', () => {
  expect(connectedInstrumentsAddress(['IP-20431187', 'IP-20431188'])).toBe(
    '/instruments?temporaryFilters=true&instrumentFamily=All&instruments=IP-20431187,IP-20431188&keyword=&page=1&pageSize=12',
  )
})

it('names as many instruments as an address takes, and none by half', () => {
  const ids = Array.from({ length: 200 }, (_, place) => `IP-2043${String(place).padStart(4, '0')}`)
  const address = new URL(connectedInstrumentsAddress(ids), 'https://console.example')
  const named = address.searchParams.get('instruments') ?? ''
  expect(named.length).toBeLessThanOrEqual(1000)
  expect(named.length).toBeGreaterThan(980)
  expect(ids).toEqual(expect.arrayContaining(named.split(',')))
})
